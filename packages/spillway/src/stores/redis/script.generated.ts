/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "5d37ebe4cfb77cb8d79fbbacfedf2e382660a7d0",
  source: `local L,W,ci,aR,hp=struct.pack,struct.unpack,string.format,string.find,string.byte
local X,cK,U,F,V,aj=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local av=4503599627370496
local aU=4000
local bt=0
local bo,ab,bQ,cp,eC,ds,dw,du,dv,dC,fT,fS,fK,fV,fQ,fR,eG,cb,cT,dx,fU,dr,cP,cQ,dB,ho,hn,hl,hm,cO=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-11,-8,-9,-10,5,2,2,4,8,6,2,3,2
local h,bi=tonumber(ARGV[3]),3600000
if not h then
local fF=X("TIME")
h,bi=fF[1]*1000+V(fF[2]/1000),0
end
local bs,bu,bn,dt,eB,eA=4,8,16,32,64,128
local ez="<I7"
local eF="<I4c0"
local cL="<I4i7i6"
local cR,eH,aa,cN="<i6I4I7",17,3,256
local dG=bit.band
local function fs(
J,i,aY,df,co,refill_per_ms,capacity_ticks,debt_ticks,ar,cm
)
return{
numbers=ar,bytes=#J+(i<ab and 16 or 10),
definition=J,kind=i,rate=aY,period=df,ticks_per_unit=co,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cm,
}
end
local ba,bC=cjson.decode(ARGV[1]),nil
for l=1,#ba do ba[l]=fs(unpack(ba[l]))end
if ARGV[2]and ARGV[2]~=""then bC=cjson.decode(ARGV[2])end
local ax=#KEYS
local bP=X("MGET",unpack(KEYS,1,U(ax,aU)))
for K=aU+1,ax,aU do
local eN=X("MGET",unpack(KEYS,K,U(K+aU-1,ax)))
for l=1,#eN do bP[K+l-1]=eN[l]end
end
local bk,aF,N
if bC then bk,aF,N=bC.owners,bC.anchors,bC.steps end
if not bC or bC.takes_units then
local Y,T,n,Q,z,Z=true,nil,{h,0},0,nil,nil
local H,cU={},{}
local E,bd,bF,bc,bK,ed,aQ
if N then
E,bd,bF,bc,bK,ed,aQ={},{},{},{},{},{},{}
end
for a=1,ax do
local b,C=ba[bk and bk[a]or 1],bP[a]
local J,i,c,e,g,q,ao=b.definition,b.kind,0,h,0,nil,nil
if C then
local A,cj,j=nil,nil,nil
if#C==b.bytes then cj,j,e,c,ao=W(b.numbers,C)end
if cj==J and j==0 then
g=c
elseif aR(C,J,1,true)==1 then
local f=#J+1
ao=nil
local aq,j=#C-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",C,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bu,j%32>=bn
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",C,f-3)end
g=j%16>=bs and 0 or c
if bh then g,f=W("<I7",C,f)end
if bg then q,f=W("<I7",C,f)end
end
end
else
f=nil
end
Y=f==#C+1
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
n[f+1],n[f+2]=c,h-e
if q or g~=c then
z=z or{}
local D=#z
z[D+1],z[D+2],z[D+3],z[D+4]=a,c-g,q or 0,0
end
if N then
E[a],bd[a],bF[a],bc[a],bK[a],ed[a]=b,c,e,g,q,ao
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
local J,j,A,au,aJ,w,an=b.definition,0,nil,false,nil,nil,nil
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
if aJ then w=L("<c0Bi6I3i6",J,j,e,c,aJ)
else w=L("<c0Bi6I3",J,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bs
elseif g~=c then j,z=j+bu,L("<I7",g)
end
if q then j,z=j+bn,z..L("<I7",q)end
w=L(ar,J,j,e,c)..z
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
local f,D=1,#N
while f<=D do
local K,cV,ch=f,f,true
if N[f]==cT then K,cV=f+2,f+1+N[f+1]end
for bl=K,cV do
local a=N[bl]
local b,c,e,g,q=E[a],bd[a],bF[a],bc[a],bK[a]
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
bd[a],bF[a],bc[a],bK[a]=c,e,g,q
ch=ch and u+b.ticks_per_unit<=b.capacity_ticks
end
for bl=K,ch and cV or 0 do
local a=N[bl]
local b=E[a]
local ap=b.kind==bQ and 1 or b.ticks_per_unit
bd[a],bc[a],aQ[a]=bd[a]+ap,bc[a]+ap,true
Q=Q+1
end
f=cV+1
end
for a=1,ax do
if aQ[a]then
local b,c,e,g,q,ao=E[a],bd[a],bF[a],bc[a],bK[a],ed[a]
local i=b.kind
local J,j,A,au,aJ,w,an=b.definition,0,nil,false,nil,nil,nil
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
if aJ then w=L("<c0Bi6I3i6",J,j,e,c,aJ)
else w=L("<c0Bi6I3",J,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bs
elseif g~=c then j,z=j+bu,L("<I7",g)
end
if q then j,z=j+bn,z..L("<I7",q)end
w=L(ar,J,j,e,c)..z
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
local br
if cU[a]then br=cK("PSETEX",KEYS[a],cU[a],H[a])
else br=cK("SET",KEYS[a],H[a],"KEEPTTL")
end
Z=Z or br.err
end
end
if Z then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for l,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aR(w,bT,1,true)then Q=-l end
end
local bm=aR(w,"READONLY ",1,true)
if bm then return{err=string.sub(w,bm)}end
if not Q then error(Z,0)end
end
n[cO],n[#n+1]=Q,z and#z/dB or 0
for f=1,z and#z or 0 do n[#n+1]=z[f]end
return n
end
elseif bC.lends then
local cG,dm,bq=string.rep,string.sub,table.remove
local fJ={[dw]=bo,[du]=ab,[dv]=bQ}
local Y,T,n,Q,z,Z=true,nil,{h,0},0,nil,nil
for P,b in ipairs(ba)do
b.base=fJ[b.kind]or b.kind
b.unit=b.base==bQ and 1 or b.ticks_per_unit
end
local E,bd,bF,bc,bK,dp,aQ={},{},{},{},{},{},{}
local dl,db,cn={},{},{}
local S={}
for a=1,ax do
local b,C=ba[bk and bk[a]or 1],bP[a]
local J,i,c,e,g,q=b.definition,b.base,0,h,0,nil
local k,ah,y=nil,0,0
if not C then
T=T or{}
T[#T+1]=KEYS[a]
if i>=ab then e=h-(h-(aF and aF[a]or 0))%b.period end
elseif aR(C,J,1,true)==1 then
local f=#J+1
local aq,j=#C-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",C,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bu,j%32>=bn
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",C,f-3)end
g=j%16>=bs and 0 or c
if bh then g,f=W("<I7",C,f)end
if bg then q,f=W("<I7",C,f)end
end
end
else
f=nil
end
if i==b.kind and i<ab and f==#C-5 then f=#C+1 end
if f then y=(#C+1-f)/eH end
Y=f and(y==0 or j<dt and i~=b.kind and y%1==0 and y<=cN)
if Y and y>0 then
cn[a]=dm(C,f)
k={W(cG(cR,y),cn[a])}
k[#k]=nil
for l=2,#k,aa do ah=ah+k[l]end
end
else
Y=false
end
if e>h or b.rate==0 or i>=cp then Y=false end
if not Y then break end
local bl=cP+cQ*(a-1)
n[bl+1],n[bl+2]=c,h-e
if q or g~=c then
z=z or{}
local D=#z
z[D+1],z[D+2],z[D+3],z[D+4]=a,c-g,q or 0,0
end
if i~=b.kind then
local D=#S+1
S[D]=k and#k/aa or 0
for l=1,k and#k or 0 do S[D+l]=k[l]end
end
if k and i==bo then
local ak=ah*b.ticks_per_unit
local l,aT=1,F(h,e)
while l<#k and k[l]<=aT do
local s=k[l]
if s>e then
c,e=F(ak,c-(s-e)*b.refill_per_ms),s
end
ak,l=ak-k[l+1]*b.ticks_per_unit,l+aa
end
if h>e then c,e=F(ak,c-(h-e)*b.refill_per_ms),h end
g,dp[a]=U(g,c-ak),c
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
dp[a]=u
end
while k and k[1]and k[1]<=h do
ah,cn[a]=ah-k[2],nil
for P=1,aa do bq(k,1)end
end
E[a],bd[a],bF[a],bc[a],bK[a]=b,c,e,g,q
dl[a],db[a]=k,ah
end
if T and Y and(#T>aU or X("EXISTS",unpack(T))>0)then Y=false end
if Y then
local f,D=1,N and#N or ax
while f<=D do
local a,y,bW,x,bG,aE,bJ=N and N[f]or f,1,0,0,0,0,0
f=f+1
if a==cb then
a,y,bW,x,bG,aE,bJ=unpack(N,f,f+6)
f=f+7
end
local b,k,ah=E[a],dl[a],db[a]
local c,u,g=bd[a],dp[a],bc[a]
local ap,co=b.unit,b.ticks_per_unit
if aE+bJ>0 then
k,aQ[a]=k or{},true
local bD,bO=0,0
for cI=1,aE+bJ do
local eo,p,l=N[f],N[f+1],aa
while k[l]and k[l]~=eo do l=l+aa end
if k[l]then
local q=k[l-1]
local ca=U(q,p)
local au=cI>aE and 0 or ca
k[l-1],ah,bO=au,ah-q+au,bO+q-ca
if cI>aE then bD=bD+ca end
for P=1,au==0 and aa or 0 do bq(k,l-2)end
end
f=f+2
end
c,u,g=c-bD*ap,u-bD*co,g+bO*ap
if bD+bO>0 then cn[a]=nil end
end
local ai=bW==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if u+F(1,y)*co<=ai then
c,u,g=c+y*ap,u+y*co,g+y*ap
aQ[a],Q=true,Q+1
if bG>0 and b.share then
local bU=h+b.share
if b.base~=bo then bU=U(bU,bF[a]+b.period)end
k=k or{}
local p=0
if bG>0 and#k<aa*cN then
local dW=V(b.capacity_ticks/b.ticks_per_unit/2)
p=U(bG,aj(V((b.capacity_ticks-u)/b.ticks_per_unit)/2),dW-ah)
end
if p>0 then
local I,s=p,F(bU,k[#k-2]or bU)
for l=#k,aa,-aa do
if k[l]==x then
I=I+k[l-1]
for P=1,aa do bq(k,l-2)end
end
end
local D=#k
k[D+1],k[D+2],k[D+3]=s,I,x
ah=ah+p
else
p=0
end
if p>0 then cn[a]=nil end
c,u,Q=c+p*ap,u+p*co,Q+p
end
end
bd[a],dp[a],bc[a],dl[a],db[a]=c,u,g,k,ah
end
for a=1,ax do
if aQ[a]and not Z then
local b,c,e,g,q=E[a],bd[a],bF[a],bc[a],bK[a]
local J,i,j,A,w=b.definition,b.base,0,nil,nil
local k,aJ=dl[a],nil
local fg=k and k[1]
if fg and i==bo then
local ak=db[a]*b.ticks_per_unit
local bB,s=c,e
for l=1,#k,aa do
if k[l]>e then
bB=F(ak,bB-(k[l]-s)*b.refill_per_ms)
s,ak=k[l],ak-k[l+1]*b.ticks_per_unit
end
end
A=bB<=0 and 0 or s+aj(bB/b.refill_per_ms)-h
else
if i<ab then
A=c==0 and 0 or e-h+aj(c/b.refill_per_ms)
elseif i==ab then
A=c==0 and 0 or e+aj(c/b.rate)*b.period-h
else
A=c>0 and e+2*b.period-h or q and e+b.period-h or 0
end
end
local br,an
if A<=0 then
br=cK("DEL",KEYS[a])
else
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",J,j,e,c,aJ)
else w=L("<c0Bi6I3",J,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bs
elseif g~=c then j,z=j+bu,L("<I7",g)
end
if q then j,z=j+bn,z..L("<I7",q)end
w=L(ar,J,j,e,c)..z
end
an=ci("%d",(A<av and A or av)+bi)
if fg then
w=w..(cn[a]or L(cG(cR,#k/aa),unpack(k)))
end
br=cK("PSETEX",KEYS[a],an,w)
end
if type(br)=="table"then Z=br.err end
end
end
if Z then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for l,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aR(w,bT,1,true)then Q=-l end
end
local bm=aR(w,"READONLY ",1,true)
if bm then return{err=string.sub(w,bm)}end
if not Q then error(Z,0)end
end
n[cO],n[#n+1]=Q,z and#z/dB or 0
for f=1,z and#z or 0 do n[#n+1]=z[f]end
for f=1,#S do n[#n+1]=S[f]end
return n
end
elseif bC.logs then
local bH,aL,fM,bv="<i6I7",13,416,9007199254740992
local dm=string.sub
local Y,T,n,Q,z,az,Z=true,nil,{h,0},0,{},{},nil
local H,dT={},{}
for a=1,ax do
local b,C=ba[bk and bk[a]or 1],bP[a]
local J,c,e,g,q,al,D,O=b.definition,0,h,0,nil,"",h,0
local y=#az+1
az[y]=0
if C then
if aR(C,J,1,true)==1 then
local f=#J+1
local aq,j=#C-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",C,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bu,j%32>=bn
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",C,f-3)end
g=j%16>=bs and 0 or c
if bh then g,f=W("<I7",C,f)end
if bg then q,f=W("<I7",C,f)end
end
end
else
f=nil
end
local eZ=f and#C+1-f or 0
Y=f and j<bn and eZ>0 and eZ%aL==0
if Y then
local K,aW,s,bp=f,h-b.period,nil,nil
D,O=W(bH,C,#C-aL+1)
local aD=O-c
if aD<0 then aD=aD+bv end
s,bp=W(bH,C,K)
while s<=aW and K<#C do
aD,K=bp,K+aL
if K<#C then s,bp=W(bH,C,K)end
end
c=O-aD
if c<0 then c=c+bv end
if g>c then g=c end
al=dm(C,K)
if c>0 then
local p=bp-aD
if p<0 then p=p+bv end
az[y+1],az[y+2]=s,p
if p<c then az[y+3],az[y+4]=D,c-p end
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
if e>h or c>b.capacity_ticks or fe and#al>fM-aL then Y=false end
if not Y then break end
local f=cP+cQ*(a-1)
n[f+1],n[f+2]=c,h-e
if g~=c then
local f=#z
z[f+1],z[f+2],z[f+3],z[f+4]=a,c-g,0,0
end
if fe then
local j,aJ,A,an,w=0,nil,b.period,nil,nil
if al==""then O=1
else
O=O>=bv-1 and O-(bv-1)or O+1
if D==h then al=dm(al,1,-aL-1)end
end
c,g,e,Q=c+1,g+1,h,Q+1
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",J,j,e,c,aJ)
else w=L("<c0Bi6I3",J,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bs
elseif g~=c then j,z=j+bu,L("<I7",g)
end
if q then j,z=j+bn,z..L("<I7",q)end
w=L(ar,J,j,e,c)..z
end
H[a]=w..al..L(bH,h,O)
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
local br=cK("PSETEX",KEYS[a],dT[ba[bk and bk[a]or 1]],H[a])
Z=Z or br.err
end
end
if Z then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for l,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aR(w,bT,1,true)then Q=-l end
end
local bm=aR(w,"READONLY ",1,true)
if bm then return{err=string.sub(w,bm)}end
if not Q then error(Z,0)end
end
n[cO],n[#n+1]=Q,#z/dB
for f=1,#z do n[#n+1]=z[f]end
for f=1,#az do n[#n+1]=az[f]end
return n
end
end
local E,c,e,g={},{},{},{}
local af,am,t,as,aP,aX={},{},{},{},{},{}
local dn,ct,cx,dX={},{},{},{}
local aG,aQ={},{}
local bE,dU={},{}
local cm,ce,eY,fI,dN,fy,fp
local cB,cC
local function bN(a)
aG[a],c[a],e[a],g[a],aX[a]=true,-1,h,0,nil
end
local function ge(a,j,f)
local C=bP[a]
if dG(j,dt)~=0 then am[a],f=W(ez,C,f)end
if dG(j,eB)~=0 then dn[a],f=W(eF,C,f)end
if dG(j,eA)~=0 then
ct[a]={W(cL,C,f)}
f=ct[a][4]
end
cx[a]=string.sub(C,f)
end
local by,bw,bx=c,e,g
local function eV(a,gB)
local C,f,c,e,g,q=bP[a],gB+1,nil,nil,nil,nil
local aq,j=#C-f,nil
if aq>=9 then
j,e,c=W("<Bi6I3",C,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bh,bg=j%16>=bu,j%32>=bn
if aq<9+2*G+(bh and 7 or 0)+(bg and 7 or 0)then
f=nil
else
if G>0 then c,f=W(G==1 and"<I5"or"<I7",C,f-3)end
g=j%16>=bs and 0 or c
if bh then g,f=W("<I7",C,f)end
if bg then q,f=W("<I7",C,f)end
end
end
else
f=nil
end
if not f then return false end
by[a],bw[a],bx[a],af[a]=c,e,g,q
return f>#C or pcall(ge,a,j,f)
end
local T,aA,aO={},nil,{}
if N and N[1]==eG then aA={}end
for P,b in ipairs(ba)do aO[b.kind]=true end
for a=1,ax do
local b,C=ba[bk and bk[a]or 1],bP[a]
E[a]=b
if not C then
T[#T+1]=a
else
local gu=aR(C,b.definition,1,true)==1 and eV(a,#b.definition)
if not gu or dn[a]or e[a]>h then
aA=aA or{}
aA[#aA+1]=a
end
end
end
local bI,fH
if N then
bI={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fH(f)
local ag,eK=N[f],N[f+1]
if ag>0 then return 1 end
if ag==cb then return 1+bI[cb]+2*(N[f+6]+N[f+7])end
local gt=ag==dC or ag==dx
return 1+bI[ag]+(gt and dr*eK or ag==cT and eK or 0)
end
end
local aH={}
local function cq(a,i,bz)
c[a]=c[a]+bz
if i.record and bz~=0 then i.record(a,bz)end
end
local function ga(a,b,y)
local i,fD=b.algorithm,y*b.counts_per_unit
i.advance(a,b)
cq(a,i,fD)
g[a]=g[a]+fD
end
local function gX(a,b,fu,gM)
local i,dS=b.algorithm,gM-fu
i.advance(a,b)
local ai=(i.most_counts and i.most_counts(b)or av)-c[a]-(af[a]or 0)
local gz=i.queues and 0 or-g[a]
cq(a,i,F(gz,U(dS*b.counts_per_unit,F(0,ai))))
g[a]=U(F(0,g[a]-fu*b.counts_per_unit),c[a])
if dS>0 and as[a]then cm(a,b,dS,bt)end
end
local function fY(a,b,u,cF,f)
local i,fE=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],af[a]=0,i.is_aligned and f-(f-(aF and aF[a]or 0))%b.period or f,nil
cq(a,i,aj(u/fE))
g[a]=V(cF/fE)
end
local function gw(a,b,r)
local i=b.algorithm
if not i.has_history or b.period~=r.period then return false end
local function fA(J)return string.match(J,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return fA(b.definition)==fA(r.definition)and i.used(a,b)<=b.capacity_ticks
end
local function aY(i)
i.charge,i.settle,i.begin,i.keep=ga,gX,fY,gw
return i
end
local function eL(b)
b.algorithm=aH[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local ef=aO[dw]or aO[du]or aO[dv]
if ef then aO[bo],aO[ab],aO[bQ]=true,true,true end
if aA or aO[bo]then
local aC={is_reservable=true}
local function dV(aB,m)
while m~=0 do aB,m=m,aB%m end
return aB
end
function aC.define(b)
local cJ=dV(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cJ,b.rate/cJ
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
local by,bw,bx=c,e,g
function aC.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
by[a],bw[a],bx[a]=c,e,g
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
aH[bo]=aY(aC)
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
local by,bw,bx=c,e,g
function aK.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local v=h-e
if v>=b.period then
local R=V(v/b.period)
c,e=c-R*b.rate,e+R*b.period
if c<0 then c=0 end
if g>c then g=c end
end
by[a],bw[a],bx[a]=c,e,g
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
aH[ab]=aY(aK)
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
local by,bw,bx=c,e,g
function aK.advance(a,b)
local c,e,g,q=c[a],e[a],g[a],af[a]
local v=h-e
if v>=b.period then
local R=V(v/b.period)
q=R==1 and c>0 and c or nil
c,e,g=0,e+R*b.period,0
end
by[a],bw[a],bx[a],af[a]=c,e,g,q
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
aH[bQ]=aY(aK)
end
if aA or aO[cp]then
function cB(a,b)
return(string.gsub(KEYS[dX[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cv(aM,ac)
local H=redis.pcall(aM,ac,0,0)
if not H.err then return H end
if not aR(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cC(ac,aM,aq)
local H=cv(aM,ac)
if not H then return false end
if H[1]and#H[1]~=aq then return false end
if H[1]then X("UNLINK",ac)end
return true
end
local function eb(a,d,aM,aq)
local H=cv(aM,d.key)
if not H or H[1]and#H[1]~=aq then return bN(a)end
return H[1]~=nil
end
local function cf(aM,ac,bR)
for K=1,#bR,aU do
X(aM,ac,unpack(bR,K,U(K+aU-1,#bR)))
end
end
local function aT(a)
return F(e[a],h)
end
local function et(eq)
local aV={}
for ac in pairs(eq)do aV[#aV+1]=ac end
table.sort(aV)
return aV
end
local bH,aL,bv="<i6I7",13,9007199254740992
local bf=32
local cc=bf*aL
local dz=1024
local ay={has_history=true,keeps_list=true}
local function gH(O,p)
return O>=bv-p and O-(bv-p)or O+p
end
local function bV(O,dR)
return O<dR and O-dR+bv or O-dR
end
local function fq(d,ek)
local w=d.read[ek]
if not w then
w=X("LINDEX",d.key,ek-1)
d.read[ek]=w
end
return w
end
local function bL(d,ae)
local w,ei=d.tail,(ae-d.pages*bf-1)*aL
if ei<0 then w,ei=fq(d,aj(ae/bf)),(ae-1)%bf*aL end
local s,O=W(bH,w,ei+1)
return s-d.shift,O
end
local function bY(d,ae)
if ae==d.head then return d.base end
local P,O=bL(d,ae)
return O
end
local function fk(d,s)
local aI,aS=d.head,d.length
if aI==aS or bL(d,aI+1)>s then return aI end
while aI<aS do
local bj=aj((aI+aS)/2)
if bL(d,bj)<=s then aI=bj else aS=bj-1 end
end
return aI
end
local function fj(d,p)
local aI,aS=d.head,d.length
while aI<aS do
local bj=aj((aI+aS)/2)
if bV(d.sum,bY(d,bj))>=p then aI=bj else aS=bj-1 end
end
return aI
end
local function er(d,al)
d.tail,d.length=al,d.pages*bf+#al/aL
d.sum=d.length>d.head and select(2,bL(d,d.length))or d.base
end
local function eI(d,s,O)
d.tail=d.tail..L(bH,s+d.shift,O)
d.length,d.sum=d.length+1,O
end
function ay.open(a,b)
local ac=cB(a,b)
local dZ=t[a]and t[a].key==ac and t[a].is_apart
t[a]={
key=ac,is_apart=dZ,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
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
if d.is_apart and not eb(a,d,"LRANGE",cc)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
al=L(bH,e[a]+d.shift,c[a])
end
er(d,al)
d.base=bV(d.sum,c[a])
end
local function cZ(a,b)
local d,aW=t[a],aT(a)-b.period
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
return F(0,bL(d,d.length)+b.period-h)
end
local function gI(a,p)
local d,s=t[a],aT(a)
local O=gH(d.sum,p)
if d.length==d.head then d.base,O=0,p end
if d.length>d.head and bL(d,d.length)==s then
d.tail,d.length=string.sub(d.tail,1,-aL-1),d.length-1
end
eI(d,s,O)
e[a]=s
end
local function hg(d,ae)
if ae<=d.pages*bf then
local ex=F(0,aj(ae/bf)-1)
local al=ae>0 and string.sub(fq(d,ex+1),1,(ae-ex*bf)*aL)or""
d.pages=ex
return er(d,al)
end
er(d,string.sub(d.tail,1,(ae-d.pages*bf)*aL))
end
local function he(a,p)
local d=t[a]
local D,O=fj(d,p),bV(d.sum,p)
d.cuts[D],d.cuts[D+1]=true,true
local s=D<d.length and O~=bY(d,D)and bL(d,D+1)
hg(d,D)
if s then eI(d,s,O)end
end
function ay.record(a,bz)
if bz>0 then gI(a,bz)else he(a,-bz)end
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
bE[a].is_whole=ae==d.length
if not bE[a].is_whole then ay.note(a,b,-1)end
end
function ay.see(a,b)
local d,aW=t[a],cZ(a,b)
bE[a]={
key=d.key,pages=d.pages,head=aW,base=bY(d,aW),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function ay.show(a,n)
local S,y=bE[a],#n+1
local O,az=S.base,0
if S.length>S.head then S.cuts[S.head+1],S.cuts[S.length]=true,true end
n[y]=0
for P,ae in ipairs(et(S.cuts))do
if ae>S.head and ae<=S.length then
local s,bp=bL(S,ae)
n[#n+1],n[#n+2]=s,bV(bp,O)
O,az=bp,az+1
end
end
n[y]=S.is_whole and az or-az
end
function ay.divide(a)
local d=t[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=U(V(d.head/bf),d.pages,dz)
d.kept=d.pages-d.dropped
local cj,al,dh=d.head-d.dropped*bf,d.tail,{}
if d.kept==0 then cj,al=0,string.sub(al,cj*aL+1)end
local ea=nil
while#al>cc do
if ea==nil then ea=d.is_apart or cC(d.key,"LRANGE",cc)end
if not ea then break end
dh[#dh+1],al=string.sub(al,1,cc),string.sub(al,cc+1)
end
d.pushed=dh
local fr=d.kept+#dh
return(fr>0 or d.shift~=0)and L(cL,fr,cj,d.shift)or"",al
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
aH[cp]=aY(ay)
local gW=ay.keep
function ay.keep(a,b,r)
if not gW(a,b,r)then return false end
dN(a,b,"LRANGE",cc)
return true
end
end
if aA or aO[eC]then
local aC={is_reservable=true}
local function dV(aB,m)
while m~=0 do aB,m=m,aB%m end
return aB
end
function aC.define(b)
local cJ=dV(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cJ,b.rate/cJ
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
local by,bw,bx=c,e,g
function aC.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local v=h-e
if v>0 then
c,e=c-v*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
by[a],bw[a],bx[a]=c,e,g
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
aH[eC]=aY(aC)
end
if aA or aO[ds]then
function cB(a,b)
return(string.gsub(KEYS[dX[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cv(aM,ac)
local H=redis.pcall(aM,ac,0,0)
if not H.err then return H end
if not aR(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cC(ac,aM,aq)
local H=cv(aM,ac)
if not H then return false end
if H[1]and#H[1]~=aq then return false end
if H[1]then X("UNLINK",ac)end
return true
end
local function eb(a,d,aM,aq)
local H=cv(aM,d.key)
if not H or H[1]and#H[1]~=aq then return bN(a)end
return H[1]~=nil
end
local function cf(aM,ac,bR)
for K=1,#bR,aU do
X(aM,ac,unpack(bR,K,U(K+aU-1,#bR)))
end
end
local function aT(a)
return F(e[a],h)
end
local function et(eq)
local aV={}
for ac in pairs(eq)do aV[#aV+1]=ac end
table.sort(aV)
return aV
end
local cM,dy,cS="<I7B",8,35184372088832
local dz=128
local function bX(G,s)
return ci("%.0f",(G-1)*cS+s)
end
local function dQ(p,ew)
local G=1
while p>0 do
if p%2==1 then ew(G)end
p,G=V(p/2),G+1
end
end
local function gb(d,s)
local p,fX=0,F(0,d.floor+d.shift+1)
for G=1,d.sizes do
local aZ=X("ZCOUNT",d.key,bX(G,fX),bX(G,s+d.shift))
p=p+2^(G-1)*aZ
end
return p
end
local function gL(d,x)
local aZ={}
for G=1,d.sizes do aZ[G]=L(cM,x,G)end
local o={units=0,id=x}
for G,w in ipairs(#aZ>0 and X("ZMSCORE",d.key,unpack(aZ))or{})do
if w then
o.units=o.units+2^(G-1)
o.instant=tonumber(w)-(G-1)*cS-d.shift
end
end
return o.units>0 and o or nil
end
local function gY(d,aN)
for G=1,d.sizes do
local K,D,bb=bX(G,aN+d.shift),bX(G+1,-1),{}
for P,gD in ipairs(X("ZRANGEBYSCORE",d.key,"("..K,D))do
bb[#bb+1],bb[#bb+2]=K,gD
end
cf("ZADD",d.key,bb)
end
end
local function gK(d)
local dJ,I,H={},{},X("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#H,2 do
local x,G=W(cM,H[f])
local o=dJ[x]or{units=0,id=x}
o.instant=tonumber(H[f+1])-(G-1)*cS-d.shift
o.units=o.units+2^(G-1)
if not dJ[x]then dJ[x],I[#I+1]=o,o end
end
return I
end
local function hk(d,gO,cr)
local aZ,bb={},{}
for x,o in pairs(gO)do
dQ(o.units,function(G)aZ[#aZ+1]=L(cM,x,G)end)
end
for P,o in pairs(cr)do
dQ(o.units,function(G)
bb[#bb+1],bb[#bb+2]=bX(G,o.instant+d.shift),L(cM,o.id,G)
end)
end
cf("ZREM",d.key,aZ)
cf("ZADD",d.key,bb)
return#bb/2
end
local function gj(d,cr)
local aE=dz+cr
for G=1,d.sizes do
local K,D=bX(G,0),bX(G,F(-1,d.floor+d.shift))
local aZ=aE>0 and X("ZRANGEBYSCORE",d.key,K,D,"LIMIT",0,aE)or{}
cf("ZREM",d.key,aZ)
aE=aE-#aZ
end
end
local eD,fL="<i6I4I7",17
local fP=-cS
local fN=16
local M={holds_leases=true,keeps_list=true}
function M.open(a,b)
local ac=cB(a,b)
local dZ=t[a]and t[a].key==ac and t[a].is_apart
t[a]={
key=ac,is_apart=dZ,shift=0,cuts={},kept={},sizes=0,floor=fP,
found={},removed={},added={},
}
return t[a]
end
function M.load(a,b)
local d,aw,w=M.open(a,b),ct[a],cx[a]or""
if#w%fL~=0 then return bN(a)end
local f=1
while f<=#w do
local o={}
o.instant,o.units,o.id,f=W(eD,w,f)
d.kept[#d.kept+1]=o
end
if not aw then return end
d.sizes,d.floor,d.shift=aw[1],aw[2],aw[3]
d.is_apart,d.kept=true,nil
if eb(a,d,"ZRANGE",dy)or aG[a]then return end
M.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bt}
end
local function eT(d,s)
if s<=d.floor then return 0 end
if not d.kept then return gb(d,s)end
local p=0
for P,o in ipairs(d.kept)do
if o.instant>s then break end
if o.instant>d.floor then p=p+o.units end
end
return p
end
local function dO(I,d,s)
local p=0
for P,o in pairs(I)do
if o.instant>d.floor and o.instant<=s then p=p+o.units end
end
return p
end
local function eU(d,s)
return eT(d,s)-dO(d.removed,d,s)+dO(d.added,d,s)
end
local function gc(a)
local d,s=t[a],aT(a)
if s<=d.floor then return 0 end
if d.over~=s then d.over,d.units_over=s,eU(d,s)end
return d.units_over
end
function M.used(a)
return c[a]-gc(a)
end
function M.advance(a)
c[a]=M.used(a)
t[a].floor=F(t[a].floor,aT(a))
end
local function gm(d,x)
for P,o in ipairs(d.kept)do
if o.id==x then return o end
end
end
local function gn(d,x)
if d.found[x]==nil then
d.found[x]=(d.kept and gm or gL)(d,x)or false
end
return d.found[x]or nil
end
local function fb(d,x)
local o=d.added[x]or not d.removed[x]and gn(d,x)or nil
return o and o.instant>d.floor and o or nil
end
local function bq(d,x)
local o=fb(d,x)
if not o then return 0 end
if d.added[x]then d.added[x]=nil else d.removed[x]=o end
return o.units
end
local function cq(a,x,p,s)
local d=t[a]
local q=bq(d,x)
d.added[x]={instant=s,units=q+p,id=x}
end
function M.charge(a,b,p,x)
M.advance(a)
e[a]=aT(a)
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
if u>0 then M.charge(a,b,u,bt)end
end
local function eM(ao,ad,aN)
local I={}
for l,o in ipairs(ao)do
I[l]={instant=U(o.instant-ad,aN),units=o.units,id=o.id}
end
return I
end
function M.keep(a,b,r)
dN(a,b,"ZRANGE",dy)
M.advance(a)
local d,aN=t[a],aT(a)+b.period
if d.kept then d.kept=eM(d.kept,0,aN)
elseif b.period<r.period and not aG[a]then gY(d,aN)
end
e[a]=aT(a)
return true
end
local function fo(I,ad)
local fn={}
for x,o in pairs(I)do fn[x]={instant=o.instant-ad,units=o.units,id=x}end
return fn
end
function M.rewind(a,ad)
local d=t[a]
d.floor,d.over,d.found=d.floor-ad,nil,{}
d.added,d.removed=fo(d.added,ad),fo(d.removed,ad)
if d.kept then d.kept=eM(d.kept,ad,math.huge)else d.shift=d.shift+ad end
end
local function em(a,x,y)
M.advance(a)
local d=t[a]
local o=fb(d,x)
if not o or o.units~=y then return false end
c[a]=c[a]-bq(d,x)
return true
end
local function ft(a,b,x,y)
local cy=em(a,x,y)
if cy then M.charge(a,b,y,x)end
return cy
end
local function eX(a,ew)
for P,m in ipairs(as[a]or{})do
if E[m].algorithm==M then ew(m,E[m])end
end
end
function M.release(a,P,x,y)
eX(a,function(m)em(m,x,y)end)
em(a,x,y)
end
function M.renew(a,b,x,y)
if not ft(a,b,x,y)then return end
eX(a,function(m,fi)
if not ft(m,fi,x,y)then M.charge(m,fi,y,x)end
end)
end
local function gl(a,b,p)
local d,aI,aS=t[a],aT(a),e[a]+b.period
for P,o in ipairs(d.kept or{})do
local cy=o.instant>d.floor and not d.removed[o.id]
if cy then p=p-o.units end
if cy and p<=0 then return o.instant end
end
if d.kept then return aS end
while aI+1<aS do
local bj=V((aI+aS)/2)
if eU(d,bj)>=p then aS=bj else aI=bj end
end
return aS
end
function M.note(a,b,ai)
local d=t[a]
if am[a]and am[a]>h then d.cuts[F(e[a],am[a])]=true end
if ai>=0 and M.used(a)>ai then d.cuts[gl(a,b,c[a]-ai)]=true end
end
function M.note_each(a)
bE[a].is_whole=true
end
function M.see(a,b)
local d=t[a]
bE[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=F(d.floor,aT(a)),
used=M.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function gF(S)
local fz,I=S.found,{}
if S.is_whole then fz=S.kept or gK(S)end
for P,o in pairs(fz)do
if o and o.instant>S.floor then I[#I+1]=o end
end
table.sort(I,function(aB,m)return aB.instant<m.instant end)
return I
end
function M.show(a,n)
local S,y,az,O,cE=bE[a],#n+1,0,0,1
local ee=gF(S)
local function fx(s,p,x)
n[#n+1],n[#n+2],n[#n+3]=s,p,x
az=az+1
end
n[y],S.cuts[S.latest]=0,true
for P,cg in ipairs(et(S.cuts))do
if cg>S.floor and cg<=S.latest then
local bp=cg==S.latest and S.used or eT(S,cg)
local B=bp-O
while ee[cE]and ee[cE].instant<=cg do
local o=ee[cE]
fx(o.instant,o.units,o.id)
B,cE=B-o.units,cE+1
end
if B>0 then fx(cg,B,-1-az)end
O=bp
end
end
n[y]=az
end
local function ak(d)
local I={}
for P,o in ipairs(d.kept)do
if o.instant>d.floor and not d.removed[o.id]then I[#I+1]=o end
end
for P,o in pairs(d.added)do I[#I+1]=o end
return I
end
function M.divide(a)
local d,H=t[a],{}
if not d.kept and c[a]==dO(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local I=ak(d)
if#I<=fN or not(d.is_apart or cC(d.key,"ZRANGE",dy))then
for l,o in ipairs(I)do H[l]=L(eD,o.instant,o.units,o.id)end
return"",table.concat(H)
end
d.moved=I
end
for P,o in pairs(d.moved or d.added)do
dQ(o.units,function(G)d.sizes=F(d.sizes,G)end)
end
return L(cL,d.sizes,d.floor,d.shift),""
end
function M.write(a,an)
local d=t[a]
if d.kept and d.is_apart then X("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cr=hk(d,d.removed,d.moved or d.added)
if not d.kept then gj(d,cr)end
X("PEXPIRE",d.key,an)
end
aH[ds]=M
end
if aA or ef then
local cG,bq=string.rep,table.remove
local hi,ha=c,e
local function dg(a)
return F(e[a],h)
end
local function de(a,ad)
local k={unpack(t[a].shares)}
for l=1,#k,aa do k[l]=k[l]-ad end
t[a]={shares=k}
return k
end
local function eW(a)
local k,s=t[a].shares,dg(a)
if not k[1]or k[1]>s then return end
k=de(a,0)
while k[1]and k[1]<=s do
for P=1,aa do bq(k,1)end
end
end
local function dq(a,s)
local k,p=t[a].shares,0
for l=1,#k,aa do
if k[l]>s then p=p+k[l+1]end
end
return p
end
local function cF(a)
t[a]={shares={}}
end
local function gC(a)
local w=cx[a]or""
local y=#w/eH
if y%1~=0 or y>cN then return bN(a)end
local k={W(cG(cR,y),w)}
k[#k]=nil
t[a]={shares=k}
end
local function gh(a)
local k=t[a].shares
return"",L(cG(cR,#k/aa),unpack(k))
end
local function gV(a)
bE[a]=t[a].shares
end
local function es(a,n)
local k,f=bE[a],#n+1
n[f]=#k/aa
for l=1,#k do n[f+l]=k[l]end
end
local function go(a,b)
if dq(a,dg(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],af[a],g[a]=dq(a,0)*b.counts_per_unit,nil,0
return true
end
local function en(a,b,f,aE,bJ)
b.algorithm.advance(a,b)
local k,ah=de(a,0),0
local bD,bO=0,0
for cI=1,aE+bJ do
local eo,p,l=N[f],N[f+1],aa
while k[l]and k[l]~=eo do l=l+aa end
if k[l]then
local q=k[l-1]
local ca=U(q,p)
local au=cI>aE and 0 or ca
k[l-1],ah,bO=au,ah-q+au,bO+q-ca
if cI>aE then bD=bD+ca end
for P=1,au==0 and aa or 0 do bq(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bD*b.counts_per_unit
g[a]=g[a]+bO*b.counts_per_unit
end
local function gA(a,b,x,bG)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ah,u=de(a,0),dq(a,0),i.used(a,b)
local bU=i.lent_until(a,b)
local p=0
if bG>0 and#k<aa*cN then
local dW=V(b.capacity_ticks/b.ticks_per_unit/2)
p=U(bG,aj(V((b.capacity_ticks-u)/b.ticks_per_unit)/2),dW-ah)
end
if p>0 then
local I,s=p,F(bU,k[#k-2]or bU)
for l=#k,aa,-aa do
if k[l]==x then
I=I+k[l-1]
for P=1,aa do bq(k,l-2)end
end
end
local D=#k
k[D+1],k[D+2],k[D+3]=s,I,x
ah=ah+p
else
p=0
end
c[a]=c[a]+p*b.counts_per_unit
return p
end
local function eg(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cF,gC,gh,gV,es,de
i.forget,i.report,i.lend=go,en,gA
return aY(i)
end
local aC={base=aH[bo],is_reservable=true,define=aH[bo].define}
local function dI(a,b)
local c,e,k=hi[a],ha[a],t[a].shares
local ak=dq(a,0)*b.ticks_per_unit
local l,aT=1,F(h,e)
while l<#k and k[l]<=aT do
local s=k[l]
if s>e then
c,e=F(ak,c-(s-e)*b.refill_per_ms),s
end
ak,l=ak-k[l+1]*b.ticks_per_unit,l+aa
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
eW(a)
end
function aC.reset_after(a,b)
local k,A=t[a].shares,nil
local c,e,ak=dI(a,b)
local bB,s=c,e
for l=1,#k,aa do
if k[l]>e then
bB=F(ak,bB-(k[l]-s)*b.refill_per_ms)
s,ak=k[l],ak-k[l+1]*b.ticks_per_unit
end
end
A=bB<=0 and 0 or s+aj(bB/b.refill_per_ms)-h
return A
end
function aC.lent_until(a,b)
return dg(a)+b.share
end
local function fl(aK)
local i=setmetatable({base=aK},{__index=aK})
function i.advance(a,b)
aK.advance(a,b)
eW(a)
end
function i.lent_until(a,b)
return U(dg(a)+b.share,e[a]+b.period)
end
return i
end
aH[dw]=eg(aC)
aH[du]=eg(fl(aH[ab]))
aH[dv]=eg(fl(aH[bQ]))
end
for P,b in ipairs(ba)do eL(b)end
local ec=aA or aO[cp]or aO[ds]or ef
for K=1,#T,aU do
local D,aV=U(K+aU-1,#T),{}
for l=K,D do aV[#aV+1]=KEYS[T[l]]end
if X("EXISTS",unpack(aV))>0 then
for l=K,D do
if X("EXISTS",KEYS[T[l]])==1 then bN(T[l])end
end
end
end
for P,a in ipairs(T)do
if not aG[a]then E[a].algorithm.begin(a,E[a],0,0,h)end
end
if aA then
local fO=7
local function el(J)
local ey={}
for hj in string.gmatch(J or"","[^,\\n]+")do ey[#ey+1]=tonumber(hj,36)or false end
local i,aY,df,dK,cu,hb=unpack(ey)
local cd=aH[i]
if not(cd and aY and df)then return nil end
dK=dK or aY
local b=fs(J,i,aY,df,1,0,0,0)
b.max_reserved,b.start=cu or nil,hb or nil
if cd.define then cd.define(b)end
b.capacity_ticks=dK*b.ticks_per_unit
if cd.is_reservable and aY>0 then
local ai=(cd.most_counts and cd.most_counts(b)or av)-b.capacity_ticks
b.debt_ticks=cu and U(cu*b.ticks_per_unit,ai)or ai
end
eL(b)
return b
end
local da=ax
local function dc(a)
da=da+1
dX[da]=a
return da
end
local function gg(a,w)
local I=cmsgpack.unpack(w)
if type(I[1])=="number"then aX[a]=table.remove(I,1)end
as[a]=#I>0 and{}or nil
for l,hc in ipairs(I)do
local m,J,aw=dc(a),nil,nil
J,c[m],e[m],g[m],af[m],aP[m],aw,cx[m]=
unpack(hc)
if af[m]==0 then af[m]=nil end
local b=assert(el(J))
E[m],as[a][l]=b,m
if aw~=""then ct[m]={W(cL,aw)}end
if b.algorithm.load then b.algorithm.load(m,b)end
assert(not aG[m])
end
end
function eY(a)
local I,aN={aX[a]},F(h,aX[a]or 0)
for P,m in ipairs(as[a]or{})do
local b,aw,cw=E[m],"",""
aN=F(aN,aP[m])
if b.algorithm.divide then aw,cw=b.algorithm.divide(m)end
I[#I+1]={
b.definition,c[m],e[m],g[m],af[m]or 0,aP[m],aw,cw,
}
end
return cmsgpack.pack(I),aN-h
end
function fI(a,an)
for P,m in ipairs(as[a]or{})do
local i=E[m].algorithm
if i.write then i.write(m,an)end
end
end
local function gf(a)
local r=el(string.match(bP[a],"^[^\\n]*\\n"))
if not r or not eV(a,#r.definition)then return nil end
if dn[a]and not pcall(gg,a,dn[a])then return nil end
return r
end
local function dM(u,r,b)
if r.ticks_per_unit==b.ticks_per_unit then return u end
local p=V(u/r.ticks_per_unit)
local gR=(u-p*r.ticks_per_unit)/r.ticks_per_unit
return p*b.ticks_per_unit+U(b.ticks_per_unit,aj(gR*b.ticks_per_unit))
end
local function fm(u,r,b)
return b.capacity_ticks+U(dM(F(0,u-r.capacity_ticks),r,b),b.debt_ticks)
end
local function ep(aB,m)
return(aB.base or aB)==(m.base or m)
end
local function gE(a,b,r)
local dd,cD=r.algorithm,b.algorithm
if ep(dd,cD)and cD.keep(a,b,r)then
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
local function eh(b)
if b.rate==0 then return 2*b.period end
return b.period*F(2,aj(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function eR(aB,m)
c[m],e[m],g[m],af[m]=c[aB],e[aB],g[aB],af[aB]
end
local function eS(aB,bA)
for fa,C in pairs(aB)do
if bA[fa]==nil then bA[fa]=C end
end
return bA
end
local function eQ(M,aN)
local eO={}
for x,o in pairs(M or{})do
eO[x]={instant=U(o.instant,aN),units=o.units,id=x}
end
return eO
end
function dN(a,b,gJ,aq)
local d,aN=t[a],F(e[a],h)+b.period
local bA=eS(d,{
key=cB(a,b),is_beside=false,cuts={},found={},
removed=eQ(d.removed,aN),added=eQ(d.added,aN),
})
t[a]=bA
if not bA.is_apart or bA.key==d.key then return end
if not cC(bA.key,gJ,aq)then return bN(a)end
X(d.is_beside and"COPY"or"RENAME",d.key,bA.key)
end
local function eP(a,r,b)
local m=dc(a)
E[m],t[m]=r,t[a]
if t[a]then
t[a].is_beside=true
t[a]=eS(t[a],{})
end
eR(a,m)
aP[m]=U(h+F(r.algorithm.reset_after(m,r),eh(r),eh(b)),av)
return m
end
local function di(a,b)
if e[a]-h<b.period then return 0 end
local ag=b.algorithm.is_aligned and b.period or 1
local ad=V((e[a]-h)/ag)*ag
e[a],am[a]=e[a]-ad,am[a]and F(0,am[a]-ad)
if t[a]then b.algorithm.rewind(a,ad)end
return ad
end
local function dP(B)
local ao={}
for P,m in ipairs(B or{})do
aP[m]=aP[m]-di(m,E[m])
if aP[m]>h then ao[#ao+1]=m end
end
return ao
end
local dA="1,0,eiz5s00,gjdgxs\\n"
local function ej(B)
for l,m in ipairs(B or{})do
if E[m].definition==dA then return m,l end
end
end
local function gG(a)
local at=dc(a)
E[at]=el(dA)
c[at],e[at],af[at],g[at],aP[at]=0,h,0,0,0
return at
end
local function fW(a,r,B)
local at,l=ej(B)
if at then table.remove(B,l)else at=gG(a)end
local u,ck=r.algorithm.used(a,r),r.ticks_per_unit
c[at]=F(c[at],aj(u/ck))
af[at]=F(af[at]or 0,aj((u-r.capacity_ticks)/ck))
aP[at]=F(aP[at],U(h+r.algorithm.reset_after(a,r),av))
B[#B+1]=at
end
local function gd(a,b)
local at=ej(as[a])
if not at then return end
local i,ck=b.algorithm,b.ticks_per_unit
local cu=U((af[at]or 0)*ck,b.debt_ticks)
local u=U(c[at]*ck,b.capacity_ticks+cu)
local fw=u-i.used(a,b)
if fw<=0 then return end
if i.holds_leases then return i.charge(a,b,fw,h)end
i.advance(a,b)
i.begin(a,b,u,g[a]*ck/b.counts_per_unit,F(h,e[a]))
end
local function ff(B)
return#B-(ej(B)and 1 or 0)>=fO
end
local function hf(a,b,r,B)
if r.algorithm.reset_after(a,r)>0 then
if ff(B)then fW(a,r,B)
else B[#B+1]=dP({eP(a,r,b)})[1]end
end
as[a]=#B>0 and B or nil
gE(a,b,r)
gd(a,b)
end
local function hd(a,b,r,B,cY)
di(a,r)
local m=table.remove(B,cY)
B[#B+1]=eP(a,r,b)
as[a]=B
eR(m,a)
t[a]=t[m]
end
local function dY(B,b)
for l,m in ipairs(B)do
if E[m].definition==b.definition then return l end
end
end
local function dL(a,b,r)
local B=dP(as[a])
local cY=dY(B,b)
if cY then hd(a,b,r,B,cY)else hf(a,b,r,B)end
end
local cH={}
local eE=2147483647
local function cz(a,r,b)
local i=b.algorithm
if(aX[a]or 0)<=h or i.base then return false end
return ep(r.algorithm,i)or ep(r.algorithm,aH[bo])and not i.holds_leases
end
local function hh(b)
if b.max_reserved then return 0 end
local i,cW=b.algorithm,eE*b.refill_per_ms
if i.is_aligned then cW=V(eE/b.period)*b.rate
elseif i.queues then cW=F(0,cW+b.ticks_per_unit-b.capacity_ticks)
end
return F(0,b.debt_ticks-cW)
end
local function cs(a,s)
aF=aF or{}
aF[a]=s
end
local function gP(a,b,r)
cH[a]={plan=b,anchor=aF and aF[a]or 0,own=r}
r.unreservable=hh(r)
if r.definition~=b.definition then E[a]=r end
cs(a,e[a])
end
local function gZ(a,n,bl)
local B,aD=as[a]or{},cH[a].plan
local l=dY(B,aD)
local gr=l and aP[B[l]]>aX[a]
for P,m in ipairs(B)do
local J,D=E[m].definition,#n
local fv=J==aD.definition and 0 or J==dA and 1 or 2
if fv<2 or not gr then
n[bl]=n[bl]+1
n[D+1],n[D+2],n[D+3]=fv,c[m],e[m]
n[D+4],n[D+5],n[D+6]=g[m],af[m]or 0,aP[m]
end
end
end
function fy(a,n)
local bM,f=cH[a].own,#n
n[f+1],n[f+2],n[f+3],n[f+4]=aX[a],bM.kind,bM.rate,bM.period
n[f+5]=bM.capacity_ticks/bM.ticks_per_unit
n[f+6],n[f+7]=bM.max_reserved or-1,bM.start or-av
n[f+8]=0
local gy=bM.algorithm.keeps_list or cH[a].plan.algorithm.keeps_list
if not gy then gZ(a,n,f+8)end
end
local function gx(a,b,dE,aW)
local B=as[a]or{}
local l=dY(B,b)
if not l and ff(B)then return end
local m=l and table.remove(B,l)or dc(a)
if not l then
E[m]=b
cs(m,dE)
b.algorithm.begin(m,b,0,0,h)
end
aP[m]=U(av,F(aP[m]or 0,aW+eh(b)))
B[#B+1],as[a]=m,B
end
function fp(a,b,ad)
local q,dE=cH[a],aF and aF[ax+1]or 0
local aD,dH=E[a],aF and aF[a]or 0
if q then
aD,dH=q.plan,q.anchor
cs(a,dH)
aX[a]=nil
if q.own.definition~=aD.definition then dL(a,aD,E[a])end
E[a]=aD
end
if ad>0 then
if b.definition~=aD.definition then
cs(a,dE)
dL(a,b,aD)
E[a]=b
gx(a,aD,dH,h+ad)
end
aX[a]=h+ad
cs(a,e[a])
end
di(a,E[a])
end
function ce(a,b)
local gq=e[a]>h and c[a]==0 and(af[a]or 0)==0 and(am[a]or 0)<=h
if gq then b.algorithm.begin(a,b,0,0,h)end
end
local function gN(a,b)
local r=gf(a)
if not r then return bN(a)end
local au=cz(a,r,b)
if au then gP(a,b,r)end
local fh=au or r.definition==b.definition
if fh and e[a]<=h then return end
if r.algorithm.load then r.algorithm.load(a,r)end
if aG[a]then return end
if not au then aX[a]=nil end
if not fh then dL(a,b,r)end
di(a,E[a])
ce(a,E[a])
aQ[a]=true
end
function cm(a,b,y,o)
local B=dP(as[a])
as[a]=#B>0 and B or nil
local u=b.algorithm.used(a,b)
for P,m in ipairs(B)do
local bZ,p=E[m],y
if o==bt or not bZ.algorithm.holds_leases then
local gS=fm(u,b,bZ)-bZ.algorithm.used(m,bZ)
p=U(y,V(gS/bZ.ticks_per_unit))
end
if p>0 then bZ.algorithm.charge(m,bZ,p,o~=bt and o or h)end
end
end
for P,a in ipairs(aA)do gN(a,E[a])end
end
for a=1,ec and ax or 0 do
local b=E[a]
if b.algorithm.load and not aG[a]then
if not t[a]then b.algorithm.load(a,b)end
if not aG[a]then b.algorithm.see(a,b)end
end
end
local n,dk={h,0},{}
for a=1,ax do
local f=cP+cQ*(a-1)
local cA,cX=c[a],g[a]
if E[a].algorithm.note and not aG[a]then
cA=E[a].algorithm.used(a,E[a])
cX=U(cX,cA)
end
n[f+1],n[f+2]=cA,h-e[a]
if cX~=cA and not aG[a]then dk[a]=cA-cX end
end
local dF=#n+1
n[dF]=0
if next(dk)or next(af)or next(am)or next(aX)then
for a=1,ax do
local cz=(aX[a]or 0)>h
if dk[a]or af[a]or am[a]or cz then
local f,bl=#n,cz and-a or a
n[dF]=n[dF]+1
n[f+1],n[f+2],n[f+3],n[f+4]=bl,dk[a]or 0,af[a]or 0,am[a]or 0
if cz then fy(a,n)end
end
end
end
local Q=0
local function fc(a,b,u,ai)
local gp=am[a]and am[a]>h
return not gp and b.algorithm.used(a,b)+u<=ai
end
local function ch(a,b,u,ai)
if aA then ce(a,b)end
if aG[a]then return false end
if fc(a,b,u,ai)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ai-u)end
return false
end
local function eu(a,b,y,o)
b.algorithm.charge(a,b,y,o)
if as[a]then cm(a,b,y,o)end
aQ[a]=true
end
local function fC(a)
local b=E[a]
if not ch(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
eu(a,b,1,bt)
Q=Q+1
end
if not N then
for a=1,ax do fC(a)end
else
local function eJ(f,be)
if be==1 then return N[f],1,0,0,bt end
return unpack(N,f,f+be-1)
end
local function ev(K,D,be,gs)
local dD=not gs
for f=K,D,be do
local a,y,bW,fd=eJ(f,be)
local b=E[a]
if bW==1 and b.unreservable then fd=b.unreservable end
local ai=bW==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dD=ch(a,b,F(1,y)*b.ticks_per_unit+fd,ai)and dD
end
for f=K,dD and D or 0,be do
local a,y,P,P,o=eJ(f,be)
if y>0 then eu(a,E[a],y,o)end
Q=Q+1
end
end
local function es(a,p)
local i=E[a].algorithm
if i.note_each and not aG[a]then i.note_each(a,E[a],p)end
end
local function bS(a,b,i,ad)
i.advance(a,b)
local au=i.is_aligned or i.holds_leases and c[a]>0
if not au then e[a]=F(e[a],h)end
am[a]=F(e[a],h)+ad
end
local function fB(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gQ(a,b,i)
if am[a]and am[a]<=h then am[a]=nil end
local ah={}
for P,m in ipairs(as[a]or{})do
if aP[m]>h and fB(m,E[m])then ah[#ah+1]=m
else dU[#dU+1]=t[m]
end
end
as[a]=#ah>0 and ah or nil
if not fB(a,b)then i.begin(a,b,0,0,h)end
end
local function fZ(a,i,ae,ad)
if i.show then i.show(a,n)end
ec=false
fp(a,ba[ae],ad)
end
local function bz(ag,a,K,dj)
local b=E[a]
local i=b.algorithm
if aG[a]then return end
if aA then ce(a,b)end
if ag==fT then i.settle(a,b,K,dj)
elseif ag==fS then gQ(a,b,i)
elseif ag==fK then bS(a,b,i,K)
elseif ag==fV then am[a]=nil
elseif ag==eG then fZ(a,i,K,dj)
elseif ag==fQ and i.holds_leases then i.release(a,b,K,dj)
elseif ag==fR and i.holds_leases then i.renew(a,b,K,dj)
end
if aA then ce(a,E[a])end
aQ[a]=true
end
local function gi(f)
local a,y,bW,x,bG,aE,bJ=unpack(N,f+1,f+bI[cb])
local b=E[a]
local i=b.algorithm
if aG[a]then return end
if aA then ce(a,b)end
if aE+bJ>0 then
local en=i.report or i.advance
en(a,b,f+1+bI[cb],aE,bJ)
aQ[a]=true
end
local ai=bW==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not fc(a,b,F(1,y)*b.ticks_per_unit,ai)then return end
if y>0 then eu(a,b,y,bt)end
local p=i.lend and i.lend(a,b,x,bG)or 0
if p>0 and as[a]then cm(a,b,p,bt)end
aQ[a],Q=true,Q+1+p
end
local f,D=1,#N
while f<=D do
local ag,be=N[f],fH(f)
if ag>0 then fC(ag)
elseif ag==dC then ev(f+1+bI[dC],f+be-1,dr)
elseif ag==cT then ev(f+1+bI[cT],f+be-1,1)
elseif ag==dx then ev(f+1+bI[dx],f+be-1,dr,true)
elseif ag==cb then gi(f)
elseif ag==fU then es(N[f+1],N[f+2])
else bz(ag,N[f+1],N[f+2],N[f+3])
end
f=f+be
end
end
for a=1,ec and ax or 0 do
local i=E[a].algorithm
if i.show and not aG[a]then i.show(a,n)end
end
local function gk(a,B)
local J,c,e,g=E[a].definition,c[a],e[a],g[a]
local q,bS,j,cl,w,aw,cw=af[a],am[a]or 0,0,"",nil,"",""
local i,aJ=E[a].algorithm,nil
if i.divide then aw,cw=i.divide(a)end
if bS~=0 then j,cl=dt,L(ez,bS)end
if B~=""then j,cl=j+eB,cl..L(eF,#B,B)end
if aw~=""then j,cl=j+eA,cl..aw end
if c<16777216 and g==c and not q then
if aJ then w=L("<c0Bi6I3i6",J,j,e,c,aJ)
else w=L("<c0Bi6I3",J,j,e,c)
end
else
local ar,z="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bs
elseif g~=c then j,z=j+bu,L("<I7",g)
end
if q then j,z=j+bn,z..L("<I7",q)end
w=L(ar,J,j,e,c)..z
end
return w..cl..cw
end
local function gT(a)
local b,ac,B,fG=E[a],KEYS[a],"",0
local q,bS=af[a]or 0,am[a]or 0
local A=b.algorithm.reset_after(a,b)
if as[a]or aX[a]then B,fG=eY(a)end
A=F(A,bS-h,fG)
if not(A>0 or bi>0 and(c[a]>0 or q>0 or bS>0))then
if t[a]and t[a].is_apart then X("UNLINK",t[a].key)end
return X("DEL",ac)
end
local an
an=ci("%d",(A<av and A or av)+bi)
X("PSETEX",ac,an,gk(a,B))
if b.algorithm.write then b.algorithm.write(a,an)end
if as[a]then fI(a,an)end
end
local function gU()
for a=1,ax do
if aQ[a]and not aG[a]then gT(a)end
end
for P,d in ipairs(dU)do
if d.is_apart then X("UNLINK",d.key)end
end
end
local gv,Z=pcall(gU)
if not gv then
local w=type(Z)=="table"and Z.err or Z
Q=nil
for l,bT in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aR(w,bT,1,true)then Q=-l end
end
local bm=aR(w,"READONLY ",1,true)
if bm then return{err=string.sub(w,bm)}end
if not Q then error(Z,0)end
end
n[cO]=Q
return n
`,
} as const;
