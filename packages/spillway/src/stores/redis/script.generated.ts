/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "d610a0442acbfa5adbd7a47cd6680b5af0b3ac8b",
  source: `local L,W,ci,aQ,hl=struct.pack,struct.unpack,string.format,string.find,string.byte
local X,cJ,U,F,V,aj=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local av=4503599627370496
local aU=4000
local bs=0
local bn,ab,bQ,cp,eB,dt,dx,dv,dw,dC,fS,fR,fJ,fU,fP,fQ,eF,cb,cT,dy,fT,ds,cP,cQ,dB,hk,hj,hh,hi,cO=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-11,-8,-9,-10,5,2,2,4,8,6,2,3,2
local h,bi=tonumber(ARGV[3]),3600000
if not h then
local fE=X("TIME")
h,bi=fE[1]*1000+V(fE[2]/1000),0
end
local br,bt,bm,du,eA,ez=4,8,16,32,64,128
local ey="<I7"
local eE="<I4c0"
local cK="<I4i7i6"
local cR,eG,aa,cM="<i6I4I7",17,3,256
local dG=bit.band
local function fs(
I,i,aX,df,co,refill_per_ms,capacity_ticks,debt_ticks,ar,cm
)
return{
numbers=ar,bytes=#I+(i<ab and 16 or 10),
definition=I,kind=i,rate=aX,period=df,ticks_per_unit=co,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cm,
}
end
local ba,bB=cjson.decode(ARGV[1]),nil
for m=1,#ba do ba[m]=fs(unpack(ba[m]))end
if ARGV[2]and ARGV[2]~=""then bB=cjson.decode(ARGV[2])end
local ax=#KEYS
local bP=X("MGET",unpack(KEYS,1,U(ax,aU)))
for K=aU+1,ax,aU do
local eM=X("MGET",unpack(KEYS,K,U(K+aU-1,ax)))
for m=1,#eM do bP[K+m-1]=eM[m]end
end
local bk,aF,N
if bB then bk,aF,N=bB.owners,bB.anchors,bB.steps end
if not bB or bB.takes_units then
local Y,T,o,Q,z,Z=true,nil,{h,0},0,nil,nil
local H,cU={},{}
local E,bd,bE,bc,bJ,ec,aP
if N then
E,bd,bE,bc,bJ,ec,aP={},{},{},{},{},{},{}
end
for a=1,ax do
local b,B=ba[bk and bk[a]or 1],bP[a]
local I,i,c,e,g,q,ao=b.definition,b.kind,0,h,0,nil,nil
if B then
local A,cj,j=nil,nil,nil
if#B==b.bytes then cj,j,e,c,ao=W(b.numbers,B)end
if cj==I and j==0 then
g=c
elseif aQ(B,I,1,true)==1 then
local f=#I+1
ao=nil
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bt,j%32>=bm
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=br and 0 or c
if bh then g,f=W("<I7",B,f)end
if bg then q,f=W("<I7",B,f)end
end
end
else
f=nil
end
Y=f==#B+1
else
Y=false
end
if i>=ab and Y then
if i<ab then
A=c==0 and 0 or e-h+aj(c/b.refill_per_ms)
elseif i==ab then
A=c==0 and 0 or e+aj(c/b.rate)*b.period-h
else
A=c>0 and e+2*b.period-h or q and e+b.period-h or 0
end
ao=A>0 and h+A or nil
end
else
T=T or{}
T[#T+1]=KEYS[a]
if i>=ab then e=h-(h-(aF and aF[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cp then Y=false end
if not Y then break end
local f=cP+cQ*(a-1)
o[f+1],o[f+2]=c,h-e
if q or g~=c then
z=z or{}
local C=#z
z[C+1],z[C+2],z[C+3],z[C+4]=a,c-g,q or 0,0
end
if N then
E[a],bd[a],bE[a],bc[a],bJ[a],ec[a]=b,c,e,g,q,ao
else
local u,ap
if i<ab then
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
u,ap=c,b.ticks_per_unit
elseif i==ab then
local v=h-e
if v>=b.period then
local R=V(v/b.period)
c,e=c-R*b.rate,e+R*b.period
if c<0 then c=0 end
if g>c then g=c end
end
u,ap=c,1
else
local v=h-e
if v>=b.period then
local R=V(v/b.period)
q=R==1 and c>0 and c or nil
c,e,g=0,e+R*b.period,0
end
u=c*b.period
if q then u=u+q*(b.period-F(0,h-e))end
ap=1
end
if u+b.ticks_per_unit<=b.capacity_ticks then
c,g,Q=c+ap,g+ap,Q+1
local I,j,A,au,aJ,w,an=b.definition,0,nil,false,nil,nil,nil
if i<ab then
A=c==0 and 0 or e-h+aj(c/b.refill_per_ms)
elseif i==ab then
A=c==0 and 0 or e+aj(c/b.rate)*b.period-h
else
A=c>0 and e+2*b.period-h or q and e+b.period-h or 0
end
if bi==0 then au=ao and h+A<=ao end
if i<ab and c<16777216 and g==c then
if bi==0 and not au then
A=A+V(A/4)
ao=h+A
end
aJ=ao or h
end
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",I,j,e,c,aJ)
else w=L("<c0Bi6I3",I,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+br
elseif g~=c then j,z=j+bt,L("<I7",g)
end
if q then j,z=j+bm,z..L("<I7",q)end
w=L(ar,I,j,e,c)..z
end
if not au then
an=ci("%d",(A<av and A or av)+bi)
end
H[a],cU[a]=w,an
end
end
end
if T and Y and(#T>aU or X("EXISTS",unpack(T))>0)then Y=false end
if Y and N then
local f,C=1,#N
while f<=C do
local K,cV,ch=f,f,true
if N[f]==cT then K,cV=f+2,f+1+N[f+1]end
for bM=K,cV do
local a=N[bM]
local b,c,e,g,q=E[a],bd[a],bE[a],bc[a],bJ[a]
local i=b.kind
local u,ap
if i<ab then
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
u,ap=c,b.ticks_per_unit
elseif i==ab then
local v=h-e
if v>=b.period then
local R=V(v/b.period)
c,e=c-R*b.rate,e+R*b.period
if c<0 then c=0 end
if g>c then g=c end
end
u,ap=c,1
else
local v=h-e
if v>=b.period then
local R=V(v/b.period)
q=R==1 and c>0 and c or nil
c,e,g=0,e+R*b.period,0
end
u=c*b.period
if q then u=u+q*(b.period-F(0,h-e))end
ap=1
end
bd[a],bE[a],bc[a],bJ[a]=c,e,g,q
ch=ch and u+b.ticks_per_unit<=b.capacity_ticks
end
for bM=K,ch and cV or 0 do
local a=N[bM]
local b=E[a]
local ap=b.kind==bQ and 1 or b.ticks_per_unit
bd[a],bc[a],aP[a]=bd[a]+ap,bc[a]+ap,true
Q=Q+1
end
f=cV+1
end
for a=1,ax do
if aP[a]then
local b,c,e,g,q,ao=E[a],bd[a],bE[a],bc[a],bJ[a],ec[a]
local i=b.kind
local I,j,A,au,aJ,w,an=b.definition,0,nil,false,nil,nil,nil
if i<ab then
A=c==0 and 0 or e-h+aj(c/b.refill_per_ms)
elseif i==ab then
A=c==0 and 0 or e+aj(c/b.rate)*b.period-h
else
A=c>0 and e+2*b.period-h or q and e+b.period-h or 0
end
if bi==0 then au=ao and h+A<=ao end
if i<ab and c<16777216 and g==c then
if bi==0 and not au then
A=A+V(A/4)
ao=h+A
end
aJ=ao or h
end
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",I,j,e,c,aJ)
else w=L("<c0Bi6I3",I,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+br
elseif g~=c then j,z=j+bt,L("<I7",g)
end
if q then j,z=j+bm,z..L("<I7",q)end
w=L(ar,I,j,e,c)..z
end
if not au then
an=ci("%d",(A<av and A or av)+bi)
end
H[a],cU[a]=w,an
end
end
end
if Y then
for a=1,ax do
if H[a]then
local bq
if cU[a]then bq=cJ("PSETEX",KEYS[a],cU[a],H[a])
else bq=cJ("SET",KEYS[a],H[a],"KEEPTTL")
end
Z=Z or bq.err
end
end
if Z then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for m,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aQ(w,bT,1,true)then Q=-m end
end
local bl=aQ(w,"READONLY ",1,true)
if bl then return{err=string.sub(w,bl)}end
if not Q then error(Z,0)end
end
o[cO],o[#o+1]=Q,z and#z/dB or 0
for f=1,z and#z or 0 do o[#o+1]=z[f]end
return o
end
elseif bB.lends then
local cG,dn,bp=string.rep,string.sub,table.remove
local fI={[dx]=bn,[dv]=ab,[dw]=bQ}
local Y,T,o,Q,z,Z=true,nil,{h,0},0,nil,nil
for P,b in ipairs(ba)do
b.base=fI[b.kind]or b.kind
b.unit=b.base==bQ and 1 or b.ticks_per_unit
end
local E,bd,bE,bc,bJ,dq,aP={},{},{},{},{},{},{}
local dm,db,cn={},{},{}
local S={}
for a=1,ax do
local b,B=ba[bk and bk[a]or 1],bP[a]
local I,i,c,e,g,q=b.definition,b.base,0,h,0,nil
local k,ah,y=nil,0,0
if not B then
T=T or{}
T[#T+1]=KEYS[a]
if i>=ab then e=h-(h-(aF and aF[a]or 0))%b.period end
elseif aQ(B,I,1,true)==1 then
local f=#I+1
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bt,j%32>=bm
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=br and 0 or c
if bh then g,f=W("<I7",B,f)end
if bg then q,f=W("<I7",B,f)end
end
end
else
f=nil
end
if i==b.kind and i<ab and f==#B-5 then f=#B+1 end
if f then y=(#B+1-f)/eG end
Y=f and(y==0 or j<du and i~=b.kind and y%1==0 and y<=cM)
if Y and y>0 then
cn[a]=dn(B,f)
k={W(cG(cR,y),cn[a])}
k[#k]=nil
for m=2,#k,aa do ah=ah+k[m]end
end
else
Y=false
end
if e>h or b.rate==0 or i>=cp then Y=false end
if not Y then break end
local bM=cP+cQ*(a-1)
o[bM+1],o[bM+2]=c,h-e
if q or g~=c then
z=z or{}
local C=#z
z[C+1],z[C+2],z[C+3],z[C+4]=a,c-g,q or 0,0
end
if i~=b.kind then
local C=#S+1
S[C]=k and#k/aa or 0
for m=1,k and#k or 0 do S[C+m]=k[m]end
end
if k and i==bn then
local ak=ah*b.ticks_per_unit
local m,aS=1,F(h,e)
while m<#k and k[m]<=aS do
local s=k[m]
if s>e then
c,e=F(ak,c-(s-e)*b.refill_per_ms),s
end
ak,m=ak-k[m+1]*b.ticks_per_unit,m+aa
end
if h>e then c,e=F(ak,c-(h-e)*b.refill_per_ms),h end
g,dq[a]=U(g,c-ak),c
else
local u,ap
if i<ab then
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
u,ap=c,b.ticks_per_unit
elseif i==ab then
local v=h-e
if v>=b.period then
local R=V(v/b.period)
c,e=c-R*b.rate,e+R*b.period
if c<0 then c=0 end
if g>c then g=c end
end
u,ap=c,1
else
local v=h-e
if v>=b.period then
local R=V(v/b.period)
q=R==1 and c>0 and c or nil
c,e,g=0,e+R*b.period,0
end
u=c*b.period
if q then u=u+q*(b.period-F(0,h-e))end
ap=1
end
dq[a]=u
end
while k and k[1]and k[1]<=h do
ah,cn[a]=ah-k[2],nil
for P=1,aa do bp(k,1)end
end
E[a],bd[a],bE[a],bc[a],bJ[a]=b,c,e,g,q
dm[a],db[a]=k,ah
end
if T and Y and(#T>aU or X("EXISTS",unpack(T))>0)then Y=false end
if Y then
local f,C=1,N and#N or ax
while f<=C do
local a,y,bW,x,bF,aE,bI=N and N[f]or f,1,0,0,0,0,0
f=f+1
if a==cb then
a,y,bW,x,bF,aE,bI=unpack(N,f,f+6)
f=f+7
end
local b,k,ah=E[a],dm[a],db[a]
local c,u,g=bd[a],dq[a],bc[a]
local ap,co=b.unit,b.ticks_per_unit
if aE+bI>0 then
k,aP[a]=k or{},true
local bC,bO=0,0
for cH=1,aE+bI do
local en,p,m=N[f],N[f+1],aa
while k[m]and k[m]~=en do m=m+aa end
if k[m]then
local q=k[m-1]
local ca=U(q,p)
local au=cH>aE and 0 or ca
k[m-1],ah,bO=au,ah-q+au,bO+q-ca
if cH>aE then bC=bC+ca end
for P=1,au==0 and aa or 0 do bp(k,m-2)end
end
f=f+2
end
c,u,g=c-bC*ap,u-bC*co,g+bO*ap
if bC+bO>0 then cn[a]=nil end
end
local ai=bW==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if u+F(1,y)*co<=ai then
c,u,g=c+y*ap,u+y*co,g+y*ap
aP[a],Q=true,Q+1
if bF>0 and b.share then
local bU=h+b.share
if b.base~=bn then bU=U(bU,bE[a]+b.period)end
k=k or{}
local p=0
if bF>0 and#k<aa*cM then
local dW=V(b.capacity_ticks/b.ticks_per_unit/2)
p=U(bF,aj(V((b.capacity_ticks-u)/b.ticks_per_unit)/2),dW-ah)
end
if p>0 then
local J,s=p,F(bU,k[#k-2]or bU)
for m=#k,aa,-aa do
if k[m]==x then
J=J+k[m-1]
for P=1,aa do bp(k,m-2)end
end
end
local C=#k
k[C+1],k[C+2],k[C+3]=s,J,x
ah=ah+p
else
p=0
end
if p>0 then cn[a]=nil end
c,u,Q=c+p*ap,u+p*co,Q+p
end
end
bd[a],dq[a],bc[a],dm[a],db[a]=c,u,g,k,ah
end
for a=1,ax do
if aP[a]and not Z then
local b,c,e,g,q=E[a],bd[a],bE[a],bc[a],bJ[a]
local I,i,j,A,w=b.definition,b.base,0,nil,nil
local k,aJ=dm[a],nil
local fg=k and k[1]
if fg and i==bn then
local ak=db[a]*b.ticks_per_unit
local bA,s=c,e
for m=1,#k,aa do
if k[m]>e then
bA=F(ak,bA-(k[m]-s)*b.refill_per_ms)
s,ak=k[m],ak-k[m+1]*b.ticks_per_unit
end
end
A=bA<=0 and 0 or s+aj(bA/b.refill_per_ms)-h
else
if i<ab then
A=c==0 and 0 or e-h+aj(c/b.refill_per_ms)
elseif i==ab then
A=c==0 and 0 or e+aj(c/b.rate)*b.period-h
else
A=c>0 and e+2*b.period-h or q and e+b.period-h or 0
end
end
local bq,an
if A<=0 then
bq=cJ("DEL",KEYS[a])
else
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",I,j,e,c,aJ)
else w=L("<c0Bi6I3",I,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+br
elseif g~=c then j,z=j+bt,L("<I7",g)
end
if q then j,z=j+bm,z..L("<I7",q)end
w=L(ar,I,j,e,c)..z
end
an=ci("%d",(A<av and A or av)+bi)
if fg then
w=w..(cn[a]or L(cG(cR,#k/aa),unpack(k)))
end
bq=cJ("PSETEX",KEYS[a],an,w)
end
if type(bq)=="table"then Z=bq.err end
end
end
if Z then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for m,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aQ(w,bT,1,true)then Q=-m end
end
local bl=aQ(w,"READONLY ",1,true)
if bl then return{err=string.sub(w,bl)}end
if not Q then error(Z,0)end
end
o[cO],o[#o+1]=Q,z and#z/dB or 0
for f=1,z and#z or 0 do o[#o+1]=z[f]end
for f=1,#S do o[#o+1]=S[f]end
return o
end
elseif bB.logs then
local bG,aL,fL,bu="<i6I7",13,416,9007199254740992
local dn=string.sub
local Y,T,o,Q,z,az,Z=true,nil,{h,0},0,{},{},nil
local H,dT={},{}
for a=1,ax do
local b,B=ba[bk and bk[a]or 1],bP[a]
local I,c,e,g,q,al,C,O=b.definition,0,h,0,nil,"",h,0
local y=#az+1
az[y]=0
if B then
if aQ(B,I,1,true)==1 then
local f=#I+1
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bt,j%32>=bm
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=br and 0 or c
if bh then g,f=W("<I7",B,f)end
if bg then q,f=W("<I7",B,f)end
end
end
else
f=nil
end
local eY=f and#B+1-f or 0
Y=f and j<bm and eY>0 and eY%aL==0
if Y then
local K,aW,s,bo=f,h-b.period,nil,nil
C,O=W(bG,B,#B-aL+1)
local aD=O-c
if aD<0 then aD=aD+bu end
s,bo=W(bG,B,K)
while s<=aW and K<#B do
aD,K=bo,K+aL
if K<#B then s,bo=W(bG,B,K)end
end
c=O-aD
if c<0 then c=c+bu end
if g>c then g=c end
al=dn(B,K)
if c>0 then
local p=bo-aD
if p<0 then p=p+bu end
az[y+1],az[y+2]=s,p
if p<c then az[y+3],az[y+4]=C,c-p end
az[y]=(y-#az)/2
elseif al~=""then
Y=false
end
end
else
Y=false
end
else
T=T or{}
T[#T+1]=KEYS[a]
end
local fe=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or fe and#al>fL-aL then Y=false end
if not Y then break end
local f=cP+cQ*(a-1)
o[f+1],o[f+2]=c,h-e
if g~=c then
local f=#z
z[f+1],z[f+2],z[f+3],z[f+4]=a,c-g,0,0
end
if fe then
local j,aJ,A,an,w=0,nil,b.period,nil,nil
if al==""then O=1
else
O=O>=bu-1 and O-(bu-1)or O+1
if C==h then al=dn(al,1,-aL-1)end
end
c,g,e,Q=c+1,g+1,h,Q+1
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",I,j,e,c,aJ)
else w=L("<c0Bi6I3",I,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+br
elseif g~=c then j,z=j+bt,L("<I7",g)
end
if q then j,z=j+bm,z..L("<I7",q)end
w=L(ar,I,j,e,c)..z
end
H[a]=w..al..L(bG,h,O)
if not dT[b]then
an=ci("%d",(A<av and A or av)+bi)
dT[b]=an
end
end
end
if T and Y and(#T>aU or X("EXISTS",unpack(T))>0)then Y=false end
if Y then
for a=1,ax do
if H[a]then
local bq=cJ("PSETEX",KEYS[a],dT[ba[bk and bk[a]or 1]],H[a])
Z=Z or bq.err
end
end
if Z then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for m,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aQ(w,bT,1,true)then Q=-m end
end
local bl=aQ(w,"READONLY ",1,true)
if bl then return{err=string.sub(w,bl)}end
if not Q then error(Z,0)end
end
o[cO],o[#o+1]=Q,#z/dB
for f=1,#z do o[#o+1]=z[f]end
for f=1,#az do o[#o+1]=az[f]end
return o
end
end
local E,c,e,g={},{},{},{}
local af,am,t,as,aT,aZ={},{},{},{},{},{}
local dp,ct,cx,dX={},{},{},{}
local aG,aP={},{}
local bD,dU={},{}
local cm,ce,eX,fH,dN,fx,fp
local cB,cC
local function bN(a)
aG[a],c[a],e[a],g[a],aZ[a]=true,-1,h,0,nil
end
local function gd(a,j,f)
local B=bP[a]
if dG(j,du)~=0 then am[a],f=W(ey,B,f)end
if dG(j,eA)~=0 then dp[a],f=W(eE,B,f)end
if dG(j,ez)~=0 then
ct[a]={W(cK,B,f)}
f=ct[a][4]
end
cx[a]=string.sub(B,f)
end
local bx,bv,bw=c,e,g
local function eU(a,gy)
local B,f,c,e,g,q=bP[a],gy+1,nil,nil,nil,nil
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bt,j%32>=bm
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=br and 0 or c
if bh then g,f=W("<I7",B,f)end
if bg then q,f=W("<I7",B,f)end
end
end
else
f=nil
end
if not f then return false end
bx[a],bv[a],bw[a],af[a]=c,e,g,q
return f>#B or pcall(gd,a,j,f)
end
local T,aA,aO={},nil,{}
if N and N[1]==eF then aA={}end
for P,b in ipairs(ba)do aO[b.kind]=true end
for a=1,ax do
local b,B=ba[bk and bk[a]or 1],bP[a]
E[a]=b
if not B then
T[#T+1]=a
else
local gs=aQ(B,b.definition,1,true)==1 and eU(a,#b.definition)
if not gs or dp[a]or e[a]>h then
aA=aA or{}
aA[#aA+1]=a
end
end
end
local bH,fG
if N then
bH={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fG(f)
local ag,eJ=N[f],N[f+1]
if ag>0 then return 1 end
if ag==cb then return 1+bH[cb]+2*(N[f+6]+N[f+7])end
local gr=ag==dC or ag==dy
return 1+bH[ag]+(gr and ds*eJ or ag==cT and eJ or 0)
end
end
local aH={}
local function cq(a,i,by)
c[a]=c[a]+by
if i.record and by~=0 then i.record(a,by)end
end
local function fZ(a,b,y)
local i,fC=b.algorithm,y*b.counts_per_unit
i.advance(a,b)
cq(a,i,fC)
g[a]=g[a]+fC
end
local function gU(a,b,fu,gJ)
local i,dS=b.algorithm,gJ-fu
i.advance(a,b)
local ai=(i.most_counts and i.most_counts(b)or av)-c[a]-(af[a]or 0)
local gw=i.queues and 0 or-g[a]
cq(a,i,F(gw,U(dS*b.counts_per_unit,F(0,ai))))
g[a]=U(F(0,g[a]-fu*b.counts_per_unit),c[a])
if dS>0 and as[a]then cm(a,b,dS,bs)end
end
local function fX(a,b,u,cF,f)
local i,fD=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],af[a]=0,i.is_aligned and f-(f-(aF and aF[a]or 0))%b.period or f,nil
cq(a,i,aj(u/fD))
g[a]=V(cF/fD)
end
local function gu(a,b,r)
local i=b.algorithm
if not i.has_history or b.period~=r.period then return false end
local function fz(I)return string.match(I,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return fz(b.definition)==fz(r.definition)and i.used(a,b)<=b.capacity_ticks
end
local function aX(i)
i.charge,i.settle,i.begin,i.keep=fZ,gU,fX,gu
return i
end
local function eK(b)
b.algorithm=aH[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local ee=aO[dx]or aO[dv]or aO[dw]
if ee then aO[bn],aO[ab],aO[bQ]=true,true,true end
if aA or aO[bn]then
local aC={is_reservable=true}
local function dV(aB,l)
while l~=0 do aB,l=l,aB%l end
return aB
end
function aC.define(b)
local cI=dV(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cI,b.rate/cI
end
function aC.used(a,b)
local c,e,g=c[a],e[a],0
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bx,bv,bw=c,e,g
function aC.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bx[a],bv[a],bw[a]=c,e,g
end
function aC.reset_after(a,b)
local c,e,g,A=c[a],e[a],0,nil
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A=c==0 and 0 or e-h+aj(c/b.refill_per_ms)
return A
end
aH[bn]=aX(aC)
end
if aA or aO[ab]then
local aK={is_aligned=true,is_reservable=true}
function aK.used(a,b)
local c,e,g=c[a],e[a],0
local v=h-e
if v>=b.period then
local R=V(v/b.period)
c,e=c-R*b.rate,e+R*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bx,bv,bw=c,e,g
function aK.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local v=h-e
if v>=b.period then
local R=V(v/b.period)
c,e=c-R*b.rate,e+R*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bx[a],bv[a],bw[a]=c,e,g
end
function aK.reset_after(a,b)
local c,e,g,A=c[a],e[a],0,nil
local v=h-e
if v>=b.period then
local R=V(v/b.period)
c,e=c-R*b.rate,e+R*b.period
if c<0 then c=0 end
if g>c then g=c end
end
A=c==0 and 0 or e+aj(c/b.rate)*b.period-h
return A
end
function aK.most_counts(b)
return b.rate==0 and av or U(av,V(av/b.period)*b.rate)
end
aH[ab]=aX(aK)
end
if aA or aO[bQ]then
local aK={is_aligned=true,has_history=true,counts_units=true}
function aK.define(b)
b.ticks_per_unit=b.period
end
function aK.used(a,b)
local c,e,g,q,u=c[a],e[a],0,af[a],nil
local v=h-e
if v>=b.period then
local R=V(v/b.period)
q=R==1 and c>0 and c or nil
c,e,g=0,e+R*b.period,0
end
u=c*b.period
if q then u=u+q*(b.period-F(0,h-e))end
return u
end
local bx,bv,bw=c,e,g
function aK.advance(a,b)
local c,e,g,q=c[a],e[a],g[a],af[a]
local v=h-e
if v>=b.period then
local R=V(v/b.period)
q=R==1 and c>0 and c or nil
c,e,g=0,e+R*b.period,0
end
bx[a],bv[a],bw[a],af[a]=c,e,g,q
end
function aK.reset_after(a,b)
local c,e,g,q,A=c[a],e[a],0,af[a],nil
local v=h-e
if v>=b.period then
local R=V(v/b.period)
q=R==1 and c>0 and c or nil
c,e,g=0,e+R*b.period,0
end
A=c>0 and e+2*b.period-h or q and e+b.period-h or 0
return A
end
function aK.most_counts(b)
return V(av/b.period)
end
aH[bQ]=aX(aK)
end
if aA or aO[cp]then
function cB(a,b)
return(string.gsub(KEYS[dX[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cv(aM,ac)
local H=redis.pcall(aM,ac,0,0)
if not H.err then return H end
if not aQ(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cC(ac,aM,aq)
local H=cv(aM,ac)
if not H then return false end
if H[1]and#H[1]~=aq then return false end
if H[1]then X("UNLINK",ac)end
return true
end
local function ea(a,d,aM,aq)
local H=cv(aM,d.key)
if not H or H[1]and#H[1]~=aq then return bN(a)end
return H[1]~=nil
end
local function cf(aM,ac,bR)
for K=1,#bR,aU do
X(aM,ac,unpack(bR,K,U(K+aU-1,#bR)))
end
end
local function aS(a)
return F(e[a],h)
end
local function es(ep)
local aV={}
for ac in pairs(ep)do aV[#aV+1]=ac end
table.sort(aV)
return aV
end
local bG,aL,bu="<i6I7",13,9007199254740992
local bf=32
local cc=bf*aL
local dA=1024
local ay={has_history=true,keeps_list=true}
local function gE(O,p)
return O>=bu-p and O-(bu-p)or O+p
end
local function bV(O,dR)
return O<dR and O-dR+bu or O-dR
end
local function fq(d,ej)
local w=d.read[ej]
if not w then
w=X("LINDEX",d.key,ej-1)
d.read[ej]=w
end
return w
end
local function bK(d,ae)
local w,eh=d.tail,(ae-d.pages*bf-1)*aL
if eh<0 then w,eh=fq(d,aj(ae/bf)),(ae-1)%bf*aL end
local s,O=W(bG,w,eh+1)
return s-d.shift,O
end
local function bY(d,ae)
if ae==d.head then return d.base end
local P,O=bK(d,ae)
return O
end
local function fk(d,s)
local aI,aR=d.head,d.length
if aI==aR or bK(d,aI+1)>s then return aI end
while aI<aR do
local bj=aj((aI+aR)/2)
if bK(d,bj)<=s then aI=bj else aR=bj-1 end
end
return aI
end
local function fj(d,p)
local aI,aR=d.head,d.length
while aI<aR do
local bj=aj((aI+aR)/2)
if bV(d.sum,bY(d,bj))>=p then aI=bj else aR=bj-1 end
end
return aI
end
local function eq(d,al)
d.tail,d.length=al,d.pages*bf+#al/aL
d.sum=d.length>d.head and select(2,bK(d,d.length))or d.base
end
local function eH(d,s,O)
d.tail=d.tail..L(bG,s+d.shift,O)
d.length,d.sum=d.length+1,O
end
function ay.open(a,b)
local ac=cB(a,b)
local dY=t[a]and t[a].key==ac and t[a].is_apart
t[a]={
key=ac,is_apart=dY,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return t[a]
end
function ay.load(a,b)
local d,aw,al=ay.open(a,b),ct[a],cx[a]or""
if#al%aL~=0 then return bN(a)end
if aw then
d.pages,d.head,d.shift=aw[1],aw[2],aw[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not ea(a,d,"LRANGE",cc)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
al=L(bG,e[a]+d.shift,c[a])
end
eq(d,al)
d.base=bV(d.sum,c[a])
end
local function cZ(a,b)
local d,aW=t[a],aS(a)-b.period
if d.over~=aW then d.over,d.last_over=aW,fk(d,aW)end
return d.last_over
end
function ay.used(a,b)
local d=t[a]
return bV(d.sum,bY(d,cZ(a,b)))
end
function ay.advance(a,b)
local d,aW=t[a],cZ(a,b)
d.base=bY(d,aW)
d.head=aW
c[a]=bV(d.sum,d.base)
g[a]=U(g[a],c[a])
end
function ay.reset_after(a,b)
local d=t[a]
if d.length==d.head then return 0 end
return F(0,bK(d,d.length)+b.period-h)
end
local function gF(a,p)
local d,s=t[a],aS(a)
local O=gE(d.sum,p)
if d.length==d.head then d.base,O=0,p end
if d.length>d.head and bK(d,d.length)==s then
d.tail,d.length=string.sub(d.tail,1,-aL-1),d.length-1
end
eH(d,s,O)
e[a]=s
end
local function hc(d,ae)
if ae<=d.pages*bf then
local ew=F(0,aj(ae/bf)-1)
local al=ae>0 and string.sub(fq(d,ew+1),1,(ae-ew*bf)*aL)or""
d.pages=ew
return eq(d,al)
end
eq(d,string.sub(d.tail,1,(ae-d.pages*bf)*aL))
end
local function ha(a,p)
local d=t[a]
local C,O=fj(d,p),bV(d.sum,p)
d.cuts[C],d.cuts[C+1]=true,true
local s=C<d.length and O~=bY(d,C)and bK(d,C+1)
hc(d,C)
if s then eH(d,s,O)end
end
function ay.record(a,by)
if by>0 then gF(a,by)else ha(a,-by)end
end
function ay.note(a,b,ai)
local d=t[a]
if am[a]and am[a]>h then d.cuts[fk(d,F(e[a],am[a])-b.period)]=true end
if ai>=0 and ay.used(a,b)>ai then d.cuts[fj(d,ai+1)+1]=true end
end
function ay.note_each(a,b,p)
local d,ae=t[a],cZ(a,b)
local q,ai=bY(d,ae),ay.used(a,b)+p-b.capacity_ticks
while ae<d.length and bV(bY(d,ae),q)<ai do
ae=ae+1
d.cuts[ae]=true
end
bD[a].is_whole=ae==d.length
if not bD[a].is_whole then ay.note(a,b,-1)end
end
function ay.see(a,b)
local d,aW=t[a],cZ(a,b)
bD[a]={
key=d.key,pages=d.pages,head=aW,base=bY(d,aW),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function ay.show(a,o)
local S,y=bD[a],#o+1
local O,az=S.base,0
if S.length>S.head then S.cuts[S.head+1],S.cuts[S.length]=true,true end
o[y]=0
for P,ae in ipairs(es(S.cuts))do
if ae>S.head and ae<=S.length then
local s,bo=bK(S,ae)
o[#o+1],o[#o+2]=s,bV(bo,O)
O,az=bo,az+1
end
end
o[y]=S.is_whole and az or-az
end
function ay.divide(a)
local d=t[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=U(V(d.head/bf),d.pages,dA)
d.kept=d.pages-d.dropped
local cj,al,dh=d.head-d.dropped*bf,d.tail,{}
if d.kept==0 then cj,al=0,string.sub(al,cj*aL+1)end
local dZ=nil
while#al>cc do
if dZ==nil then dZ=d.is_apart or cC(d.key,"LRANGE",cc)end
if not dZ then break end
dh[#dh+1],al=string.sub(al,1,cc),string.sub(al,cc+1)
end
d.pushed=dh
local fr=d.kept+#dh
return(fr>0 or d.shift~=0)and L(cK,fr,cj,d.shift)or"",al
end
function ay.write(a,an)
local d=t[a]
if d.is_apart and d.kept==0 then X("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
X("LTRIM",d.key,d.dropped,d.pages-1)
end
cf("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then X("PEXPIRE",d.key,an)end
end
function ay.rewind(a,ad)
t[a].shift,t[a].over=t[a].shift+ad,nil
end
aH[cp]=aX(ay)
local gT=ay.keep
function ay.keep(a,b,r)
if not gT(a,b,r)then return false end
dN(a,b,"LRANGE",cc)
return true
end
end
if aA or aO[eB]then
local aC={is_reservable=true}
local function dV(aB,l)
while l~=0 do aB,l=l,aB%l end
return aB
end
function aC.define(b)
local cI=dV(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cI,b.rate/cI
end
function aC.used(a,b)
local c,e,g=c[a],e[a],0
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bx,bv,bw=c,e,g
function aC.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bx[a],bv[a],bw[a]=c,e,g
end
function aC.reset_after(a,b)
local c,e,g,A=c[a],e[a],0,nil
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A=c==0 and 0 or e-h+aj(c/b.refill_per_ms)
return A
end
aC.queues=true
aH[eB]=aX(aC)
end
if aA or aO[dt]then
function cB(a,b)
return(string.gsub(KEYS[dX[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cv(aM,ac)
local H=redis.pcall(aM,ac,0,0)
if not H.err then return H end
if not aQ(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cC(ac,aM,aq)
local H=cv(aM,ac)
if not H then return false end
if H[1]and#H[1]~=aq then return false end
if H[1]then X("UNLINK",ac)end
return true
end
local function ea(a,d,aM,aq)
local H=cv(aM,d.key)
if not H or H[1]and#H[1]~=aq then return bN(a)end
return H[1]~=nil
end
local function cf(aM,ac,bR)
for K=1,#bR,aU do
X(aM,ac,unpack(bR,K,U(K+aU-1,#bR)))
end
end
local function aS(a)
return F(e[a],h)
end
local function es(ep)
local aV={}
for ac in pairs(ep)do aV[#aV+1]=ac end
table.sort(aV)
return aV
end
local cL,dz,cS="<I7B",8,35184372088832
local dA=128
local function bX(G,s)
return ci("%.0f",(G-1)*cS+s)
end
local function dQ(p,ev)
local G=1
while p>0 do
if p%2==1 then ev(G)end
p,G=V(p/2),G+1
end
end
local function ga(d,s)
local p,fW=0,F(0,d.floor+d.shift+1)
for G=1,d.sizes do
local aY=X("ZCOUNT",d.key,bX(G,fW),bX(G,s+d.shift))
p=p+2^(G-1)*aY
end
return p
end
local function gI(d,x)
local aY={}
for G=1,d.sizes do aY[G]=L(cL,x,G)end
local n={units=0,id=x}
for G,w in ipairs(#aY>0 and X("ZMSCORE",d.key,unpack(aY))or{})do
if w then
n.units=n.units+2^(G-1)
n.instant=tonumber(w)-(G-1)*cS-d.shift
end
end
return n.units>0 and n or nil
end
local function gV(d,aN)
for G=1,d.sizes do
local K,C,bb=bX(G,aN+d.shift),bX(G+1,-1),{}
for P,gA in ipairs(X("ZRANGEBYSCORE",d.key,"("..K,C))do
bb[#bb+1],bb[#bb+2]=K,gA
end
cf("ZADD",d.key,bb)
end
end
local function gH(d)
local dJ,J,H={},{},X("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#H,2 do
local x,G=W(cL,H[f])
local n=dJ[x]or{units=0,id=x}
n.instant=tonumber(H[f+1])-(G-1)*cS-d.shift
n.units=n.units+2^(G-1)
if not dJ[x]then dJ[x],J[#J+1]=n,n end
end
return J
end
local function hg(d,gL,cr)
local aY,bb={},{}
for x,n in pairs(gL)do
dQ(n.units,function(G)aY[#aY+1]=L(cL,x,G)end)
end
for P,n in pairs(cr)do
dQ(n.units,function(G)
bb[#bb+1],bb[#bb+2]=bX(G,n.instant+d.shift),L(cL,n.id,G)
end)
end
cf("ZREM",d.key,aY)
cf("ZADD",d.key,bb)
return#bb/2
end
local function gi(d,cr)
local aE=dA+cr
for G=1,d.sizes do
local K,C=bX(G,0),bX(G,F(-1,d.floor+d.shift))
local aY=aE>0 and X("ZRANGEBYSCORE",d.key,K,C,"LIMIT",0,aE)or{}
cf("ZREM",d.key,aY)
aE=aE-#aY
end
end
local eC,fK="<i6I4I7",17
local fO=-cS
local fM=16
local M={holds_leases=true,keeps_list=true}
function M.open(a,b)
local ac=cB(a,b)
local dY=t[a]and t[a].key==ac and t[a].is_apart
t[a]={
key=ac,is_apart=dY,shift=0,cuts={},kept={},sizes=0,floor=fO,
found={},removed={},added={},
}
return t[a]
end
function M.load(a,b)
local d,aw,w=M.open(a,b),ct[a],cx[a]or""
if#w%fK~=0 then return bN(a)end
local f=1
while f<=#w do
local n={}
n.instant,n.units,n.id,f=W(eC,w,f)
d.kept[#d.kept+1]=n
end
if not aw then return end
d.sizes,d.floor,d.shift=aw[1],aw[2],aw[3]
d.is_apart,d.kept=true,nil
if ea(a,d,"ZRANGE",dz)or aG[a]then return end
M.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bs}
end
local function eS(d,s)
if s<=d.floor then return 0 end
if not d.kept then return ga(d,s)end
local p=0
for P,n in ipairs(d.kept)do
if n.instant>s then break end
if n.instant>d.floor then p=p+n.units end
end
return p
end
local function dO(J,d,s)
local p=0
for P,n in pairs(J)do
if n.instant>d.floor and n.instant<=s then p=p+n.units end
end
return p
end
local function eT(d,s)
return eS(d,s)-dO(d.removed,d,s)+dO(d.added,d,s)
end
local function gb(a)
local d,s=t[a],aS(a)
if s<=d.floor then return 0 end
if d.over~=s then d.over,d.units_over=s,eT(d,s)end
return d.units_over
end
function M.used(a)
return c[a]-gb(a)
end
function M.advance(a)
c[a]=M.used(a)
t[a].floor=F(t[a].floor,aS(a))
end
local function gl(d,x)
for P,n in ipairs(d.kept)do
if n.id==x then return n end
end
end
local function gm(d,x)
if d.found[x]==nil then
d.found[x]=(d.kept and gl or gI)(d,x)or false
end
return d.found[x]or nil
end
local function fa(d,x)
local n=d.added[x]or not d.removed[x]and gm(d,x)or nil
return n and n.instant>d.floor and n or nil
end
local function bp(d,x)
local n=fa(d,x)
if not n then return 0 end
if d.added[x]then d.added[x]=nil else d.removed[x]=n end
return n.units
end
local function cq(a,x,p,s)
local d=t[a]
local q=bp(d,x)
d.added[x]={instant=s,units=q+p,id=x}
end
function M.charge(a,b,p,x)
M.advance(a)
e[a]=aS(a)
cq(a,x,p,e[a]+b.period)
c[a]=c[a]+p
end
M.settle=M.advance
function M.reset_after(a,b)
return M.used(a)==0 and 0 or e[a]+b.period-h
end
function M.begin(a,b,u,P,f)
M.open(a,b)
c[a],e[a],af[a],g[a]=0,f,nil,0
if u>0 then M.charge(a,b,u,bs)end
end
local function eL(ao,ad,aN)
local J={}
for m,n in ipairs(ao)do
J[m]={instant=U(n.instant-ad,aN),units=n.units,id=n.id}
end
return J
end
function M.keep(a,b,r)
dN(a,b,"ZRANGE",dz)
M.advance(a)
local d,aN=t[a],aS(a)+b.period
if d.kept then d.kept=eL(d.kept,0,aN)
elseif b.period<r.period and not aG[a]then gV(d,aN)
end
e[a]=aS(a)
return true
end
local function fo(J,ad)
local fn={}
for x,n in pairs(J)do fn[x]={instant=n.instant-ad,units=n.units,id=x}end
return fn
end
function M.rewind(a,ad)
local d=t[a]
d.floor,d.over,d.found=d.floor-ad,nil,{}
d.added,d.removed=fo(d.added,ad),fo(d.removed,ad)
if d.kept then d.kept=eL(d.kept,ad,math.huge)else d.shift=d.shift+ad end
end
local function el(a,x,y)
M.advance(a)
local d=t[a]
local n=fa(d,x)
if not n or n.units~=y then return false end
c[a]=c[a]-bp(d,x)
return true
end
local function ft(a,b,x,y)
local cy=el(a,x,y)
if cy then M.charge(a,b,y,x)end
return cy
end
local function eW(a,ev)
for P,l in ipairs(as[a]or{})do
if E[l].algorithm==M then ev(l,E[l])end
end
end
function M.release(a,P,x,y)
eW(a,function(l)el(l,x,y)end)
el(a,x,y)
end
function M.renew(a,b,x,y)
if not ft(a,b,x,y)then return end
eW(a,function(l,fi)
if not ft(l,fi,x,y)then M.charge(l,fi,y,x)end
end)
end
local function gk(a,b,p)
local d,aI,aR=t[a],aS(a),e[a]+b.period
for P,n in ipairs(d.kept or{})do
local cy=n.instant>d.floor and not d.removed[n.id]
if cy then p=p-n.units end
if cy and p<=0 then return n.instant end
end
if d.kept then return aR end
while aI+1<aR do
local bj=V((aI+aR)/2)
if eT(d,bj)>=p then aR=bj else aI=bj end
end
return aR
end
function M.note(a,b,ai)
local d=t[a]
if am[a]and am[a]>h then d.cuts[F(e[a],am[a])]=true end
if ai>=0 and M.used(a)>ai then d.cuts[gk(a,b,c[a]-ai)]=true end
end
function M.note_each(a)
bD[a].is_whole=true
end
function M.see(a,b)
local d=t[a]
bD[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=F(d.floor,aS(a)),
used=M.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function gC(S)
local fy,J=S.found,{}
if S.is_whole then fy=S.kept or gH(S)end
for P,n in pairs(fy)do
if n and n.instant>S.floor then J[#J+1]=n end
end
table.sort(J,function(aB,l)return aB.instant<l.instant end)
return J
end
function M.show(a,o)
local S,y,az,O,cE=bD[a],#o+1,0,0,1
local ed=gC(S)
local function fw(s,p,x)
o[#o+1],o[#o+2],o[#o+3]=s,p,x
az=az+1
end
o[y],S.cuts[S.latest]=0,true
for P,cg in ipairs(es(S.cuts))do
if cg>S.floor and cg<=S.latest then
local bo=cg==S.latest and S.used or eS(S,cg)
local D=bo-O
while ed[cE]and ed[cE].instant<=cg do
local n=ed[cE]
fw(n.instant,n.units,n.id)
D,cE=D-n.units,cE+1
end
if D>0 then fw(cg,D,-1-az)end
O=bo
end
end
o[y]=az
end
local function ak(d)
local J={}
for P,n in ipairs(d.kept)do
if n.instant>d.floor and not d.removed[n.id]then J[#J+1]=n end
end
for P,n in pairs(d.added)do J[#J+1]=n end
return J
end
function M.divide(a)
local d,H=t[a],{}
if not d.kept and c[a]==dO(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local J=ak(d)
if#J<=fM or not(d.is_apart or cC(d.key,"ZRANGE",dz))then
for m,n in ipairs(J)do H[m]=L(eC,n.instant,n.units,n.id)end
return"",table.concat(H)
end
d.moved=J
end
for P,n in pairs(d.moved or d.added)do
dQ(n.units,function(G)d.sizes=F(d.sizes,G)end)
end
return L(cK,d.sizes,d.floor,d.shift),""
end
function M.write(a,an)
local d=t[a]
if d.kept and d.is_apart then X("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cr=hg(d,d.removed,d.moved or d.added)
if not d.kept then gi(d,cr)end
X("PEXPIRE",d.key,an)
end
aH[dt]=M
end
if aA or ee then
local cG,bp=string.rep,table.remove
local he,gW=c,e
local function dg(a)
return F(e[a],h)
end
local function de(a,ad)
local k={unpack(t[a].shares)}
for m=1,#k,aa do k[m]=k[m]-ad end
t[a]={shares=k}
return k
end
local function eV(a)
local k,s=t[a].shares,dg(a)
if not k[1]or k[1]>s then return end
k=de(a,0)
while k[1]and k[1]<=s do
for P=1,aa do bp(k,1)end
end
end
local function dr(a,s)
local k,p=t[a].shares,0
for m=1,#k,aa do
if k[m]>s then p=p+k[m+1]end
end
return p
end
local function cF(a)
t[a]={shares={}}
end
local function gz(a)
local w=cx[a]or""
local y=#w/eG
if y%1~=0 or y>cM then return bN(a)end
local k={W(cG(cR,y),w)}
k[#k]=nil
t[a]={shares=k}
end
local function gg(a)
local k=t[a].shares
return"",L(cG(cR,#k/aa),unpack(k))
end
local function gS(a)
bD[a]=t[a].shares
end
local function er(a,o)
local k,f=bD[a],#o+1
o[f]=#k/aa
for m=1,#k do o[f+m]=k[m]end
end
local function gn(a,b)
if dr(a,dg(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],af[a],g[a]=dr(a,0)*b.counts_per_unit,nil,0
return true
end
local function em(a,b,f,aE,bI)
b.algorithm.advance(a,b)
local k,ah=de(a,0),0
local bC,bO=0,0
for cH=1,aE+bI do
local en,p,m=N[f],N[f+1],aa
while k[m]and k[m]~=en do m=m+aa end
if k[m]then
local q=k[m-1]
local ca=U(q,p)
local au=cH>aE and 0 or ca
k[m-1],ah,bO=au,ah-q+au,bO+q-ca
if cH>aE then bC=bC+ca end
for P=1,au==0 and aa or 0 do bp(k,m-2)end
end
f=f+2
end
c[a]=c[a]-bC*b.counts_per_unit
g[a]=g[a]+bO*b.counts_per_unit
end
local function gx(a,b,x,bF)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ah,u=de(a,0),dr(a,0),i.used(a,b)
local bU=i.lent_until(a,b)
local p=0
if bF>0 and#k<aa*cM then
local dW=V(b.capacity_ticks/b.ticks_per_unit/2)
p=U(bF,aj(V((b.capacity_ticks-u)/b.ticks_per_unit)/2),dW-ah)
end
if p>0 then
local J,s=p,F(bU,k[#k-2]or bU)
for m=#k,aa,-aa do
if k[m]==x then
J=J+k[m-1]
for P=1,aa do bp(k,m-2)end
end
end
local C=#k
k[C+1],k[C+2],k[C+3]=s,J,x
ah=ah+p
else
p=0
end
c[a]=c[a]+p*b.counts_per_unit
return p
end
local function ef(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cF,gz,gg,gS,er,de
i.forget,i.report,i.lend=gn,em,gx
return aX(i)
end
local aC={base=aH[bn],is_reservable=true,define=aH[bn].define}
local function dI(a,b)
local c,e,k=he[a],gW[a],t[a].shares
local ak=dr(a,0)*b.ticks_per_unit
local m,aS=1,F(h,e)
while m<#k and k[m]<=aS do
local s=k[m]
if s>e then
c,e=F(ak,c-(s-e)*b.refill_per_ms),s
end
ak,m=ak-k[m+1]*b.ticks_per_unit,m+aa
end
if h>e then c,e=F(ak,c-(h-e)*b.refill_per_ms),h end
return c,e,ak
end
function aC.used(a,b)
return(dI(a,b))
end
function aC.advance(a,b)
local ak
c[a],e[a],ak=dI(a,b)
g[a]=U(g[a],c[a]-ak)
eV(a)
end
function aC.reset_after(a,b)
local k,A=t[a].shares,nil
local c,e,ak=dI(a,b)
local bA,s=c,e
for m=1,#k,aa do
if k[m]>e then
bA=F(ak,bA-(k[m]-s)*b.refill_per_ms)
s,ak=k[m],ak-k[m+1]*b.ticks_per_unit
end
end
A=bA<=0 and 0 or s+aj(bA/b.refill_per_ms)-h
return A
end
function aC.lent_until(a,b)
return dg(a)+b.share
end
local function fl(aK)
local i=setmetatable({base=aK},{__index=aK})
function i.advance(a,b)
aK.advance(a,b)
eV(a)
end
function i.lent_until(a,b)
return U(dg(a)+b.share,e[a]+b.period)
end
return i
end
aH[dx]=ef(aC)
aH[dv]=ef(fl(aH[ab]))
aH[dw]=ef(fl(aH[bQ]))
end
for P,b in ipairs(ba)do eK(b)end
local eb=aA or aO[cp]or aO[dt]or ee
for K=1,#T,aU do
local C,aV=U(K+aU-1,#T),{}
for m=K,C do aV[#aV+1]=KEYS[T[m]]end
if X("EXISTS",unpack(aV))>0 then
for m=K,C do
if X("EXISTS",KEYS[T[m]])==1 then bN(T[m])end
end
end
end
for P,a in ipairs(T)do
if not aG[a]then E[a].algorithm.begin(a,E[a],0,0,h)end
end
if aA then
local fN=7
local function ek(I)
local ex={}
for hf in string.gmatch(I or"","[^,\\n]+")do ex[#ex+1]=tonumber(hf,36)or false end
local i,aX,df,dK,cu,gX=unpack(ex)
local cd=aH[i]
if not(cd and aX and df)then return nil end
dK=dK or aX
local b=fs(I,i,aX,df,1,0,0,0)
b.max_reserved,b.start=cu or nil,gX or nil
if cd.define then cd.define(b)end
b.capacity_ticks=dK*b.ticks_per_unit
if cd.is_reservable and aX>0 then
local ai=(cd.most_counts and cd.most_counts(b)or av)-b.capacity_ticks
b.debt_ticks=cu and U(cu*b.ticks_per_unit,ai)or ai
end
eK(b)
return b
end
local da=ax
local function dc(a)
da=da+1
dX[da]=a
return da
end
local function gf(a,w)
local J=cmsgpack.unpack(w)
if type(J[1])=="number"then aZ[a]=table.remove(J,1)end
as[a]=#J>0 and{}or nil
for m,gY in ipairs(J)do
local l,I,aw=dc(a),nil,nil
I,c[l],e[l],g[l],af[l],aT[l],aw,cx[l]=
unpack(gY)
if af[l]==0 then af[l]=nil end
local b=assert(ek(I))
E[l],as[a][m]=b,l
if aw~=""then ct[l]={W(cK,aw)}end
if b.algorithm.load then b.algorithm.load(l,b)end
assert(not aG[l])
end
end
function eX(a)
local J,aN={aZ[a]},F(h,aZ[a]or 0)
for P,l in ipairs(as[a]or{})do
local b,aw,cw=E[l],"",""
aN=F(aN,aT[l])
if b.algorithm.divide then aw,cw=b.algorithm.divide(l)end
J[#J+1]={
b.definition,c[l],e[l],g[l],af[l]or 0,aT[l],aw,cw,
}
end
return cmsgpack.pack(J),aN-h
end
function fH(a,an)
for P,l in ipairs(as[a]or{})do
local i=E[l].algorithm
if i.write then i.write(l,an)end
end
end
local function ge(a)
local r=ek(string.match(bP[a],"^[^\\n]*\\n"))
if not r or not eU(a,#r.definition)then return nil end
if dp[a]and not pcall(gf,a,dp[a])then return nil end
return r
end
local function dM(u,r,b)
if r.ticks_per_unit==b.ticks_per_unit then return u end
local p=V(u/r.ticks_per_unit)
local gO=(u-p*r.ticks_per_unit)/r.ticks_per_unit
return p*b.ticks_per_unit+U(b.ticks_per_unit,aj(gO*b.ticks_per_unit))
end
local function fm(u,r,b)
return b.capacity_ticks+U(dM(F(0,u-r.capacity_ticks),r,b),b.debt_ticks)
end
local function eo(aB,l)
return(aB.base or aB)==(l.base or l)
end
local function gB(a,b,r)
local dd,cD=r.algorithm,b.algorithm
if eo(dd,cD)and cD.keep(a,b,r)then
if dd.base or cD.base then t[a]=cD.base and{shares={}}or nil end
return
end
dd.advance(a,r)
local u=dd.used(a,r)
local ao=U(dM(u,r,b),fm(u,r,b))
local cF=U(ao,dM(g[a]*r.ticks_per_unit/r.counts_per_unit,r,b))
t[a]=nil
cD.begin(a,b,ao,cF,F(h,e[a]))
end
local function eg(b)
if b.rate==0 then return 2*b.period end
return b.period*F(2,aj(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function eQ(aB,l)
c[l],e[l],g[l],af[l]=c[aB],e[aB],g[aB],af[aB]
end
local function eR(aB,bz)
for eZ,B in pairs(aB)do
if bz[eZ]==nil then bz[eZ]=B end
end
return bz
end
local function eP(M,aN)
local eN={}
for x,n in pairs(M or{})do
eN[x]={instant=U(n.instant,aN),units=n.units,id=x}
end
return eN
end
function dN(a,b,gG,aq)
local d,aN=t[a],F(e[a],h)+b.period
local bz=eR(d,{
key=cB(a,b),is_beside=false,cuts={},found={},
removed=eP(d.removed,aN),added=eP(d.added,aN),
})
t[a]=bz
if not bz.is_apart or bz.key==d.key then return end
if not cC(bz.key,gG,aq)then return bN(a)end
X(d.is_beside and"COPY"or"RENAME",d.key,bz.key)
end
local function eO(a,r,b)
local l=dc(a)
E[l],t[l]=r,t[a]
if t[a]then
t[a].is_beside=true
t[a]=eR(t[a],{})
end
eQ(a,l)
aT[l]=U(h+F(r.algorithm.reset_after(l,r),eg(r),eg(b)),av)
return l
end
local function dj(a,b)
if e[a]-h<b.period then return 0 end
local ag=b.algorithm.is_aligned and b.period or 1
local ad=V((e[a]-h)/ag)*ag
e[a],am[a]=e[a]-ad,am[a]and F(0,am[a]-ad)
if t[a]then b.algorithm.rewind(a,ad)end
return ad
end
local function dP(D)
local ao={}
for P,l in ipairs(D or{})do
aT[l]=aT[l]-dj(l,E[l])
if aT[l]>h then ao[#ao+1]=l end
end
return ao
end
local cN="1,0,eiz5s00,gjdgxs\\n"
local function ei(D)
for m,l in ipairs(D or{})do
if E[l].definition==cN then return l,m end
end
end
local function gD(a)
local at=dc(a)
E[at]=ek(cN)
c[at],e[at],af[at],g[at],aT[at]=0,h,0,0,0
return at
end
local function fV(a,r,D)
local at,m=ei(D)
if at then table.remove(D,m)else at=gD(a)end
local u,ck=r.algorithm.used(a,r),r.ticks_per_unit
c[at]=F(c[at],aj(u/ck))
af[at]=F(af[at]or 0,aj((u-r.capacity_ticks)/ck))
aT[at]=F(aT[at],U(h+r.algorithm.reset_after(a,r),av))
D[#D+1]=at
end
local function gc(a,b)
local at=ei(as[a])
if not at then return end
local i,ck=b.algorithm,b.ticks_per_unit
local cu=U((af[at]or 0)*ck,b.debt_ticks)
local u=U(c[at]*ck,b.capacity_ticks+cu)
local fv=u-i.used(a,b)
if fv<=0 then return end
if i.holds_leases then return i.charge(a,b,fv,h)end
i.advance(a,b)
i.begin(a,b,u,g[a]*ck/b.counts_per_unit,F(h,e[a]))
end
local function ff(D)
return#D-(ei(D)and 1 or 0)>=fN
end
local function hb(a,b,r,D)
if r.algorithm.reset_after(a,r)>0 then
if ff(D)then fV(a,r,D)
else D[#D+1]=dP({eO(a,r,b)})[1]end
end
as[a]=#D>0 and D or nil
gB(a,b,r)
gc(a,b)
end
local function gZ(a,b,r,D,cY)
dj(a,r)
local l=table.remove(D,cY)
D[#D+1]=eO(a,r,b)
as[a]=D
eQ(l,a)
t[a]=t[l]
end
local function fd(D,b)
for m,l in ipairs(D)do
if E[l].definition==b.definition then return m end
end
end
local function dL(a,b,r)
local D=dP(as[a])
local cY=fd(D,b)
if cY then gZ(a,b,r,D,cY)else hb(a,b,r,D)end
end
local di={}
local eD=2147483647
local function cz(a,r,b)
local i=b.algorithm
if(aZ[a]or 0)<=h or i.base then return false end
return eo(r.algorithm,i)or eo(r.algorithm,aH[bn])and not i.holds_leases
end
local function hd(b)
if b.max_reserved then return 0 end
local i,cW=b.algorithm,eD*b.refill_per_ms
if i.is_aligned then cW=V(eD/b.period)*b.rate
elseif i.queues then cW=F(0,cW+b.ticks_per_unit-b.capacity_ticks)
end
return F(0,b.debt_ticks-cW)
end
local function cs(a,s)
aF=aF or{}
aF[a]=s
end
local function gM(a,b,r)
di[a]={plan=b,anchor=aF and aF[a]or 0,own=r}
r.unreservable=hd(r)
if r.definition~=b.definition then E[a]=r end
cs(a,e[a])
end
function fx(a,o)
local aD,bL,f=di[a].plan,di[a].own,#o
o[f+1],o[f+2],o[f+3],o[f+4]=aZ[a],bL.kind,bL.rate,bL.period
o[f+5],o[f+6],o[f+7]=bL.capacity_ticks/bL.ticks_per_unit,bL.max_reserved or-1,bL.start or-av
o[f+8]=0
if bL.algorithm.keeps_list or aD.algorithm.keeps_list then return end
for P,l in ipairs(as[a]or{})do
local I,C=E[l].definition,#o
if I==aD.definition or I==cN then
o[f+8]=o[f+8]+1
o[C+1],o[C+2],o[C+3]=I==cN and 1 or 0,c[l],e[l]
o[C+4],o[C+5],o[C+6]=g[l],af[l]or 0,aT[l]
end
end
end
local function gv(a,b,dE,aW)
local D=as[a]or{}
local m=fd(D,b)
if not m and ff(D)then return end
local l=m and table.remove(D,m)or dc(a)
if not m then
E[l]=b
cs(l,dE)
b.algorithm.begin(l,b,0,0,h)
end
aT[l]=U(av,F(aT[l]or 0,aW+eg(b)))
D[#D+1],as[a]=l,D
end
function fp(a,b,ad)
local q,dE=di[a],aF and aF[ax+1]or 0
local aD,dH=E[a],aF and aF[a]or 0
if q then
aD,dH=q.plan,q.anchor
cs(a,dH)
aZ[a]=nil
if q.own.definition~=aD.definition then dL(a,aD,E[a])end
E[a]=aD
end
if ad>0 then
if b.definition~=aD.definition then
cs(a,dE)
dL(a,b,aD)
E[a]=b
gv(a,aD,dH,h+ad)
end
aZ[a]=h+ad
cs(a,e[a])
end
dj(a,E[a])
end
function ce(a,b)
local gp=e[a]>h and c[a]==0 and(af[a]or 0)==0 and(am[a]or 0)<=h
if gp then b.algorithm.begin(a,b,0,0,h)end
end
local function gK(a,b)
local r=ge(a)
if not r then return bN(a)end
local au=cz(a,r,b)
if au then gM(a,b,r)end
local fh=au or r.definition==b.definition
if fh and e[a]<=h then return end
if r.algorithm.load then r.algorithm.load(a,r)end
if aG[a]then return end
if not au then aZ[a]=nil end
if not fh then dL(a,b,r)end
dj(a,E[a])
ce(a,E[a])
aP[a]=true
end
function cm(a,b,y,n)
local D=dP(as[a])
as[a]=#D>0 and D or nil
local u=b.algorithm.used(a,b)
for P,l in ipairs(D)do
local bZ,p=E[l],y
if n==bs or not bZ.algorithm.holds_leases then
local gP=fm(u,b,bZ)-bZ.algorithm.used(l,bZ)
p=U(y,V(gP/bZ.ticks_per_unit))
end
if p>0 then bZ.algorithm.charge(l,bZ,p,n~=bs and n or h)end
end
end
for P,a in ipairs(aA)do gK(a,E[a])end
end
for a=1,eb and ax or 0 do
local b=E[a]
if b.algorithm.load and not aG[a]then
if not t[a]then b.algorithm.load(a,b)end
if not aG[a]then b.algorithm.see(a,b)end
end
end
local o,dl={h,0},{}
for a=1,ax do
local f=cP+cQ*(a-1)
local cA,cX=c[a],g[a]
if E[a].algorithm.note and not aG[a]then
cA=E[a].algorithm.used(a,E[a])
cX=U(cX,cA)
end
o[f+1],o[f+2]=cA,h-e[a]
if cX~=cA and not aG[a]then dl[a]=cA-cX end
end
local dF=#o+1
o[dF]=0
if next(dl)or next(af)or next(am)or next(aZ)then
for a=1,ax do
local cz=(aZ[a]or 0)>h
if dl[a]or af[a]or am[a]or cz then
local f,bM=#o,cz and-a or a
o[dF]=o[dF]+1
o[f+1],o[f+2],o[f+3],o[f+4]=bM,dl[a]or 0,af[a]or 0,am[a]or 0
if cz then fx(a,o)end
end
end
end
local Q=0
local function fb(a,b,u,ai)
local go=am[a]and am[a]>h
return not go and b.algorithm.used(a,b)+u<=ai
end
local function ch(a,b,u,ai)
if aA then ce(a,b)end
if aG[a]then return false end
if fb(a,b,u,ai)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ai-u)end
return false
end
local function et(a,b,y,n)
b.algorithm.charge(a,b,y,n)
if as[a]then cm(a,b,y,n)end
aP[a]=true
end
local function fB(a)
local b=E[a]
if not ch(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
et(a,b,1,bs)
Q=Q+1
end
if not N then
for a=1,ax do fB(a)end
else
local function eI(f,be)
if be==1 then return N[f],1,0,0,bs end
return unpack(N,f,f+be-1)
end
local function eu(K,C,be,gq)
local dD=not gq
for f=K,C,be do
local a,y,bW,fc=eI(f,be)
local b=E[a]
if bW==1 and b.unreservable then fc=b.unreservable end
local ai=bW==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dD=ch(a,b,F(1,y)*b.ticks_per_unit+fc,ai)and dD
end
for f=K,dD and C or 0,be do
local a,y,P,P,n=eI(f,be)
if y>0 then et(a,E[a],y,n)end
Q=Q+1
end
end
local function er(a,p)
local i=E[a].algorithm
if i.note_each and not aG[a]then i.note_each(a,E[a],p)end
end
local function bS(a,b,i,ad)
i.advance(a,b)
local au=i.is_aligned or i.holds_leases and c[a]>0
if not au then e[a]=F(e[a],h)end
am[a]=F(e[a],h)+ad
end
local function fA(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gN(a,b,i)
if am[a]and am[a]<=h then am[a]=nil end
local ah={}
for P,l in ipairs(as[a]or{})do
if aT[l]>h and fA(l,E[l])then ah[#ah+1]=l
else dU[#dU+1]=t[l]
end
end
as[a]=#ah>0 and ah or nil
if not fA(a,b)then i.begin(a,b,0,0,h)end
end
local function fY(a,i,ae,ad)
if i.show then i.show(a,o)end
eb=false
fp(a,ba[ae],ad)
end
local function by(ag,a,K,dk)
local b=E[a]
local i=b.algorithm
if aG[a]then return end
if aA then ce(a,b)end
if ag==fS then i.settle(a,b,K,dk)
elseif ag==fR then gN(a,b,i)
elseif ag==fJ then bS(a,b,i,K)
elseif ag==fU then am[a]=nil
elseif ag==eF then fY(a,i,K,dk)
elseif ag==fP and i.holds_leases then i.release(a,b,K,dk)
elseif ag==fQ and i.holds_leases then i.renew(a,b,K,dk)
end
if aA then ce(a,E[a])end
aP[a]=true
end
local function gh(f)
local a,y,bW,x,bF,aE,bI=unpack(N,f+1,f+bH[cb])
local b=E[a]
local i=b.algorithm
if aG[a]then return end
if aA then ce(a,b)end
if aE+bI>0 then
local em=i.report or i.advance
em(a,b,f+1+bH[cb],aE,bI)
aP[a]=true
end
local ai=bW==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not fb(a,b,F(1,y)*b.ticks_per_unit,ai)then return end
if y>0 then et(a,b,y,bs)end
local p=i.lend and i.lend(a,b,x,bF)or 0
if p>0 and as[a]then cm(a,b,p,bs)end
aP[a],Q=true,Q+1+p
end
local f,C=1,#N
while f<=C do
local ag,be=N[f],fG(f)
if ag>0 then fB(ag)
elseif ag==dC then eu(f+1+bH[dC],f+be-1,ds)
elseif ag==cT then eu(f+1+bH[cT],f+be-1,1)
elseif ag==dy then eu(f+1+bH[dy],f+be-1,ds,true)
elseif ag==cb then gh(f)
elseif ag==fT then er(N[f+1],N[f+2])
else by(ag,N[f+1],N[f+2],N[f+3])
end
f=f+be
end
end
for a=1,eb and ax or 0 do
local i=E[a].algorithm
if i.show and not aG[a]then i.show(a,o)end
end
local function gj(a,D)
local I,c,e,g=E[a].definition,c[a],e[a],g[a]
local q,bS,j,cl,w,aw,cw=af[a],am[a]or 0,0,"",nil,"",""
local i,aJ=E[a].algorithm,nil
if i.divide then aw,cw=i.divide(a)end
if bS~=0 then j,cl=du,L(ey,bS)end
if D~=""then j,cl=j+eA,cl..L(eE,#D,D)end
if aw~=""then j,cl=j+ez,cl..aw end
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",I,j,e,c,aJ)
else w=L("<c0Bi6I3",I,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+br
elseif g~=c then j,z=j+bt,L("<I7",g)
end
if q then j,z=j+bm,z..L("<I7",q)end
w=L(ar,I,j,e,c)..z
end
return w..cl..cw
end
local function gQ(a)
local b,ac,D,fF=E[a],KEYS[a],"",0
local q,bS=af[a]or 0,am[a]or 0
local A=b.algorithm.reset_after(a,b)
if as[a]or aZ[a]then D,fF=eX(a)end
A=F(A,bS-h,fF)
if not(A>0 or bi>0 and(c[a]>0 or q>0 or bS>0))then
if t[a]and t[a].is_apart then X("UNLINK",t[a].key)end
return X("DEL",ac)
end
local an
an=ci("%d",(A<av and A or av)+bi)
X("PSETEX",ac,an,gj(a,D))
if b.algorithm.write then b.algorithm.write(a,an)end
if as[a]then fH(a,an)end
end
local function gR()
for a=1,ax do
if aP[a]and not aG[a]then gQ(a)end
end
for P,d in ipairs(dU)do
if d.is_apart then X("UNLINK",d.key)end
end
end
local gt,Z=pcall(gR)
if not gt then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for m,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aQ(w,bT,1,true)then Q=-m end
end
local bl=aQ(w,"READONLY ",1,true)
if bl then return{err=string.sub(w,bl)}end
if not Q then error(Z,0)end
end
o[cO]=Q
return o
`,
} as const;
