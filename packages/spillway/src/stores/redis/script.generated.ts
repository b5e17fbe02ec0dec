/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "ddb1b51333d7df78eddc4ea708b9b59462b067ba",
  source: `local K,V,ce,aN,gP=struct.pack,struct.unpack,string.format,string.find,string.byte
local W,cE,U,F,X,ah=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local ay=4503599627370496
local aQ=4000
local bo=0
local br,ab,bL,cn,en,dh,dl,dj,dk,dr,fy,fx,fp,fA,fv,fw,bW,cN,dm,fz,dg,cJ,cK,dq,gN,gO,cI=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,2,4,2,3,2
local h,bb=tonumber(ARGV[3]),3600000
if not h then
local fk=W("TIME")
h,bb=fk[1]*1000+X(fk[2]/1000),0
end
local bn,bp,bi,di,em,el=4,8,16,32,64,128
local ek="<I7"
local ep="<I4c0"
local cF="<I4i7i6"
local cL,er,aa,cH="<i6I4I7",17,3,256
local du=bit.band
local function eZ(
I,i,aS,cX,cm,refill_per_ms,capacity_ticks,debt_ticks,ar,ck
)
return{
numbers=ar,bytes=#I+(i<ab and 16 or 10),
definition=I,kind=i,rate=aS,period=cX,ticks_per_unit=cm,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=ck,
}
end
local bf,by=cjson.decode(ARGV[1]),nil
for l=1,#bf do bf[l]=eZ(unpack(bf[l]))end
if ARGV[2]and ARGV[2]~=""then by=cjson.decode(ARGV[2])end
local aw=#KEYS
local bK=W("MGET",unpack(KEYS,1,U(aw,aQ)))
for J=aQ+1,aw,aQ do
local ex=W("MGET",unpack(KEYS,J,U(J+aQ-1,aw)))
for l=1,#ex do bK[J+l-1]=ex[l]end
end
local be,bM,S
if by then be,bM,S=by.owners,by.anchors,by.steps end
if not by or by.takes_units then
local Y,T,r,N,y,Z=true,nil,{h,0},0,nil,nil
local E,cP={},{}
local H,aW,bB,aV,bG,dN,aM
if S then
H,aW,bB,aV,bG,dN,aM={},{},{},{},{},{},{}
end
for a=1,aw do
local b,B=bf[be and be[a]or 1],bK[a]
local I,i,c,e,g,p,ao=b.definition,b.kind,0,h,0,nil,nil
if B then
local z,cf,j=nil,nil,nil
if#B==b.bytes then cf,j,e,c,ao=V(b.numbers,B)end
if cf==I and j==0 then
g=c
elseif aN(B,I,1,true)==1 then
local f=#I+1
ao=nil
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=V("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local D=j%4
local ba,aZ=j%16>=bp,j%32>=bi
if aq<9+2*D+(ba and 7 or 0)+(aZ and 7 or 0)then
f=nil
else
if D>0 then c,f=V(D==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bn and 0 or c
if ba then g,f=V("<I7",B,f)end
if aZ then p,f=V("<I7",B,f)end
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
z=c==0 and 0 or e-h+ah(c/b.refill_per_ms)
elseif i==ab then
z=c==0 and 0 or e+ah(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
ao=z>0 and h+z or nil
end
else
T=T or{}
T[#T+1]=KEYS[a]
if i>=ab then e=h-(h-(bM and bM[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cn then Y=false end
if not Y then break end
local f=cJ+cK*(a-1)
r[f+1],r[f+2]=c,h-e
if p or g~=c then
y=y or{}
local C=#y
y[C+1],y[C+2],y[C+3],y[C+4]=a,c-g,p or 0,0
end
if S then
H[a],aW[a],bB[a],aV[a],bG[a],dN[a]=b,c,e,g,p,ao
else
local t,ap
if i<ab then
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
t,ap=c,b.ticks_per_unit
elseif i==ab then
local u=h-e
if u>=b.period then
local O=X(u/b.period)
c,e=c-O*b.rate,e+O*b.period
if c<0 then c=0 end
if g>c then g=c end
end
t,ap=c,1
else
local u=h-e
if u>=b.period then
local O=X(u/b.period)
p=O==1 and c>0 and c or nil
c,e,g=0,e+O*b.period,0
end
t=c*b.period
if p then t=t+p*(b.period-F(0,h-e))end
ap=1
end
if t+b.ticks_per_unit<=b.capacity_ticks then
c,g,N=c+ap,g+ap,N+1
local I,j,z,aD,aG,v,an=b.definition,0,nil,false,nil,nil,nil
if i<ab then
z=c==0 and 0 or e-h+ah(c/b.refill_per_ms)
elseif i==ab then
z=c==0 and 0 or e+ah(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if bb==0 then aD=ao and h+z<=ao end
if i<ab and c<16777216 and g==c then
if bb==0 and not aD then
z=z+X(z/4)
ao=h+z
end
aG=ao or h
end
if c<16777216 and g==c and not p then
if aG then v=K("<c0Bi6I3i6",I,j,e,c,aG)
else v=K("<c0Bi6I3",I,j,e,c)
end
else
local ar,y="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bn
elseif g~=c then j,y=j+bp,K("<I7",g)
end
if p then j,y=j+bi,y..K("<I7",p)end
v=K(ar,I,j,e,c)..y
end
if not aD then
an=ce("%d",(z<ay and z or ay)+bb)
end
E[a],cP[a]=v,an
end
end
end
if T and Y and(#T>aQ or W("EXISTS",unpack(T))>0)then Y=false end
if Y and S then
local f,C=1,#S
while f<=C do
local J,cQ,cd=f,f,true
if S[f]==cN then J,cQ=f+2,f+1+S[f+1]end
for ch=J,cQ do
local a=S[ch]
local b,c,e,g,p=H[a],aW[a],bB[a],aV[a],bG[a]
local i=b.kind
local t,ap
if i<ab then
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
t,ap=c,b.ticks_per_unit
elseif i==ab then
local u=h-e
if u>=b.period then
local O=X(u/b.period)
c,e=c-O*b.rate,e+O*b.period
if c<0 then c=0 end
if g>c then g=c end
end
t,ap=c,1
else
local u=h-e
if u>=b.period then
local O=X(u/b.period)
p=O==1 and c>0 and c or nil
c,e,g=0,e+O*b.period,0
end
t=c*b.period
if p then t=t+p*(b.period-F(0,h-e))end
ap=1
end
aW[a],bB[a],aV[a],bG[a]=c,e,g,p
cd=cd and t+b.ticks_per_unit<=b.capacity_ticks
end
for ch=J,cd and cQ or 0 do
local a=S[ch]
local b=H[a]
local ap=b.kind==bL and 1 or b.ticks_per_unit
aW[a],aV[a],aM[a]=aW[a]+ap,aV[a]+ap,true
N=N+1
end
f=cQ+1
end
for a=1,aw do
if aM[a]then
local b,c,e,g,p,ao=H[a],aW[a],bB[a],aV[a],bG[a],dN[a]
local i=b.kind
local I,j,z,aD,aG,v,an=b.definition,0,nil,false,nil,nil,nil
if i<ab then
z=c==0 and 0 or e-h+ah(c/b.refill_per_ms)
elseif i==ab then
z=c==0 and 0 or e+ah(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if bb==0 then aD=ao and h+z<=ao end
if i<ab and c<16777216 and g==c then
if bb==0 and not aD then
z=z+X(z/4)
ao=h+z
end
aG=ao or h
end
if c<16777216 and g==c and not p then
if aG then v=K("<c0Bi6I3i6",I,j,e,c,aG)
else v=K("<c0Bi6I3",I,j,e,c)
end
else
local ar,y="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bn
elseif g~=c then j,y=j+bp,K("<I7",g)
end
if p then j,y=j+bi,y..K("<I7",p)end
v=K(ar,I,j,e,c)..y
end
if not aD then
an=ce("%d",(z<ay and z or ay)+bb)
end
E[a],cP[a]=v,an
end
end
end
if Y then
for a=1,aw do
if E[a]then
local bm
if cP[a]then bm=cE("PSETEX",KEYS[a],cP[a],E[a])
else bm=cE("SET",KEYS[a],E[a],"KEEPTTL")
end
Z=Z or bm.err
end
end
if Z then
local v=type(Z)=="table"and Z.err or Z
N=nil
for l,bP in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aN(v,bP,1,true)then N=-l end
end
local bg=aN(v,"READONLY ",1,true)
if bg then return{err=string.sub(v,bg)}end
if not N then error(Z,0)end
end
r[cI],r[#r+1]=N,y and#y/dq or 0
for f=1,y and#y or 0 do r[#r+1]=y[f]end
return r
end
elseif by.lends then
local cB,dc,bl=string.rep,string.sub,table.remove
local fo={[dl]=br,[dj]=ab,[dk]=bL}
local Y,T,r,N,y,Z=true,nil,{h,0},0,nil,nil
for P,b in ipairs(bf)do
b.base=fo[b.kind]or b.kind
b.unit=b.base==bL and 1 or b.ticks_per_unit
end
local H,aW,bB,aV,bG,de,aM={},{},{},{},{},{},{}
local db,cU,cl={},{},{}
local R={}
for a=1,aw do
local b,B=bf[be and be[a]or 1],bK[a]
local I,i,c,e,g,p=b.definition,b.base,0,h,0,nil
local k,ad,w=nil,0,0
if not B then
T=T or{}
T[#T+1]=KEYS[a]
if i>=ab then e=h-(h-(bM and bM[a]or 0))%b.period end
elseif aN(B,I,1,true)==1 then
local f=#I+1
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=V("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local D=j%4
local ba,aZ=j%16>=bp,j%32>=bi
if aq<9+2*D+(ba and 7 or 0)+(aZ and 7 or 0)then
f=nil
else
if D>0 then c,f=V(D==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bn and 0 or c
if ba then g,f=V("<I7",B,f)end
if aZ then p,f=V("<I7",B,f)end
end
end
else
f=nil
end
if i==b.kind and i<ab and f==#B-5 then f=#B+1 end
if f then w=(#B+1-f)/er end
Y=f and(w==0 or j<di and i~=b.kind and w%1==0 and w<=cH)
if Y and w>0 then
cl[a]=dc(B,f)
k={V(cB(cL,w),cl[a])}
k[#k]=nil
for l=2,#k,aa do ad=ad+k[l]end
end
else
Y=false
end
if e>h or b.rate==0 or i>=cn then Y=false end
if not Y then break end
local ch=cJ+cK*(a-1)
r[ch+1],r[ch+2]=c,h-e
if p or g~=c then
y=y or{}
local C=#y
y[C+1],y[C+2],y[C+3],y[C+4]=a,c-g,p or 0,0
end
if i~=b.kind then
local C=#R+1
R[C]=k and#k/aa or 0
for l=1,k and#k or 0 do R[C+l]=k[l]end
end
if k and i==br then
local ai=ad*b.ticks_per_unit
local l,aP=1,F(h,e)
while l<#k and k[l]<=aP do
local q=k[l]
if q>e then
c,e=F(ai,c-(q-e)*b.refill_per_ms),q
end
ai,l=ai-k[l+1]*b.ticks_per_unit,l+aa
end
if h>e then c,e=F(ai,c-(h-e)*b.refill_per_ms),h end
g,de[a]=U(g,c-ai),c
else
local t,ap
if i<ab then
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
t,ap=c,b.ticks_per_unit
elseif i==ab then
local u=h-e
if u>=b.period then
local O=X(u/b.period)
c,e=c-O*b.rate,e+O*b.period
if c<0 then c=0 end
if g>c then g=c end
end
t,ap=c,1
else
local u=h-e
if u>=b.period then
local O=X(u/b.period)
p=O==1 and c>0 and c or nil
c,e,g=0,e+O*b.period,0
end
t=c*b.period
if p then t=t+p*(b.period-F(0,h-e))end
ap=1
end
de[a]=t
end
while k and k[1]and k[1]<=h do
ad,cl[a]=ad-k[2],nil
for P=1,aa do bl(k,1)end
end
H[a],aW[a],bB[a],aV[a],bG[a]=b,c,e,g,p
db[a],cU[a]=k,ad
end
if T and Y and(#T>aQ or W("EXISTS",unpack(T))>0)then Y=false end
if Y then
local f,C=1,S and#S or aw
while f<=C do
local a,w,cj,A,bC,aC,bF=S and S[f]or f,1,0,0,0,0,0
f=f+1
if a==bW then
a,w,cj,A,bC,aC,bF=unpack(S,f,f+6)
f=f+7
end
local b,k,ad=H[a],db[a],cU[a]
local c,t,g=aW[a],de[a],aV[a]
local ap,cm=b.unit,b.ticks_per_unit
if aC+bF>0 then
k,aM[a]=k or{},true
local bz,bJ=0,0
for cC=1,aC+bF do
local dZ,m,l=S[f],S[f+1],aa
while k[l]and k[l]~=dZ do l=l+aa end
if k[l]then
local p=k[l-1]
local bV=U(p,m)
local aD=cC>aC and 0 or bV
k[l-1],ad,bJ=aD,ad-p+aD,bJ+p-bV
if cC>aC then bz=bz+bV end
for P=1,aD==0 and aa or 0 do bl(k,l-2)end
end
f=f+2
end
c,t,g=c-bz*ap,t-bz*cm,g+bJ*ap
if bz+bJ>0 then cl[a]=nil end
end
local ae=cj==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if t+F(1,w)*cm<=ae then
c,t,g=c+w*ap,t+w*cm,g+w*ap
aM[a],N=true,N+1
if bC>0 and b.share then
local bQ=h+b.share
if b.base~=br then bQ=U(bQ,bB[a]+b.period)end
k=k or{}
local m=0
if bC>0 and#k<aa*cH then
local dI=X(b.capacity_ticks/b.ticks_per_unit/2)
m=U(bC,ah(X((b.capacity_ticks-t)/b.ticks_per_unit)/2),dI-ad)
end
if m>0 then
local L,q=m,F(bQ,k[#k-2]or bQ)
for l=#k,aa,-aa do
if k[l]==A then
L=L+k[l-1]
for P=1,aa do bl(k,l-2)end
end
end
local C=#k
k[C+1],k[C+2],k[C+3]=q,L,A
ad=ad+m
else
m=0
end
if m>0 then cl[a]=nil end
c,t,N=c+m*ap,t+m*cm,N+m
end
end
aW[a],de[a],aV[a],db[a],cU[a]=c,t,g,k,ad
end
for a=1,aw do
if aM[a]and not Z then
local b,c,e,g,p=H[a],aW[a],bB[a],aV[a],bG[a]
local I,i,j,z,v=b.definition,b.base,0,nil,nil
local k,aG=db[a],nil
local eM=k and k[1]
if eM and i==br then
local ai=cU[a]*b.ticks_per_unit
local bx,q=c,e
for l=1,#k,aa do
if k[l]>e then
bx=F(ai,bx-(k[l]-q)*b.refill_per_ms)
q,ai=k[l],ai-k[l+1]*b.ticks_per_unit
end
end
z=bx<=0 and 0 or q+ah(bx/b.refill_per_ms)-h
else
if i<ab then
z=c==0 and 0 or e-h+ah(c/b.refill_per_ms)
elseif i==ab then
z=c==0 and 0 or e+ah(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
end
local bm,an
if z<=0 then
bm=cE("DEL",KEYS[a])
else
if c<16777216 and g==c and not p then
if aG then v=K("<c0Bi6I3i6",I,j,e,c,aG)
else v=K("<c0Bi6I3",I,j,e,c)
end
else
local ar,y="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bn
elseif g~=c then j,y=j+bp,K("<I7",g)
end
if p then j,y=j+bi,y..K("<I7",p)end
v=K(ar,I,j,e,c)..y
end
an=ce("%d",(z<ay and z or ay)+bb)
if eM then
v=v..(cl[a]or K(cB(cL,#k/aa),unpack(k)))
end
bm=cE("PSETEX",KEYS[a],an,v)
end
if type(bm)=="table"then Z=bm.err end
end
end
if Z then
local v=type(Z)=="table"and Z.err or Z
N=nil
for l,bP in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aN(v,bP,1,true)then N=-l end
end
local bg=aN(v,"READONLY ",1,true)
if bg then return{err=string.sub(v,bg)}end
if not N then error(Z,0)end
end
r[cI],r[#r+1]=N,y and#y/dq or 0
for f=1,y and#y or 0 do r[#r+1]=y[f]end
for f=1,#R do r[#r+1]=R[f]end
return r
end
elseif by.logs then
local bD,aI,fr,bq="<i6I7",13,416,9007199254740992
local dc=string.sub
local Y,T,r,N,y,av,Z=true,nil,{h,0},0,{},{},nil
local E,dF={},{}
for a=1,aw do
local b,B=bf[be and be[a]or 1],bK[a]
local I,c,e,g,p,ak,C,M=b.definition,0,h,0,nil,"",h,0
local w=#av+1
av[w]=0
if B then
if aN(B,I,1,true)==1 then
local f=#I+1
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=V("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local D=j%4
local ba,aZ=j%16>=bp,j%32>=bi
if aq<9+2*D+(ba and 7 or 0)+(aZ and 7 or 0)then
f=nil
else
if D>0 then c,f=V(D==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bn and 0 or c
if ba then g,f=V("<I7",B,f)end
if aZ then p,f=V("<I7",B,f)end
end
end
else
f=nil
end
local eH=f and#B+1-f or 0
Y=f and j<bi and eH>0 and eH%aI==0
if Y then
local J,bd,q,bk=f,h-b.period,nil,nil
C,M=V(bD,B,#B-aI+1)
local bZ=M-c
if bZ<0 then bZ=bZ+bq end
q,bk=V(bD,B,J)
while q<=bd and J<#B do
bZ,J=bk,J+aI
if J<#B then q,bk=V(bD,B,J)end
end
c=M-bZ
if c<0 then c=c+bq end
if g>c then g=c end
ak=dc(B,J)
if c>0 then
local m=bk-bZ
if m<0 then m=m+bq end
av[w+1],av[w+2]=q,m
if m<c then av[w+3],av[w+4]=C,c-m end
av[w]=(w-#av)/2
elseif ak~=""then
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
local eL=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or eL and#ak>fr-aI then Y=false end
if not Y then break end
local f=cJ+cK*(a-1)
r[f+1],r[f+2]=c,h-e
if g~=c then
local f=#y
y[f+1],y[f+2],y[f+3],y[f+4]=a,c-g,0,0
end
if eL then
local j,aG,z,an,v=0,nil,b.period,nil,nil
if ak==""then M=1
else
M=M>=bq-1 and M-(bq-1)or M+1
if C==h then ak=dc(ak,1,-aI-1)end
end
c,g,e,N=c+1,g+1,h,N+1
if c<16777216 and g==c and not p then
if aG then v=K("<c0Bi6I3i6",I,j,e,c,aG)
else v=K("<c0Bi6I3",I,j,e,c)
end
else
local ar,y="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bn
elseif g~=c then j,y=j+bp,K("<I7",g)
end
if p then j,y=j+bi,y..K("<I7",p)end
v=K(ar,I,j,e,c)..y
end
E[a]=v..ak..K(bD,h,M)
if not dF[b]then
an=ce("%d",(z<ay and z or ay)+bb)
dF[b]=an
end
end
end
if T and Y and(#T>aQ or W("EXISTS",unpack(T))>0)then Y=false end
if Y then
for a=1,aw do
if E[a]then
local bm=cE("PSETEX",KEYS[a],dF[bf[be and be[a]or 1]],E[a])
Z=Z or bm.err
end
end
if Z then
local v=type(Z)=="table"and Z.err or Z
N=nil
for l,bP in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aN(v,bP,1,true)then N=-l end
end
local bg=aN(v,"READONLY ",1,true)
if bg then return{err=string.sub(v,bg)}end
if not N then error(Z,0)end
end
r[cI],r[#r+1]=N,#y/dq
for f=1,#y do r[#r+1]=y[f]end
for f=1,#av do r[#r+1]=av[f]end
return r
end
end
local H,c,e,g={},{},{},{}
local af,al,s,aB,bh={},{},{},{},{}
local dd,cq,ct,dJ={},{},{},{}
local aE,aM={},{}
local bA,dG={},{}
local ck,ca,eG,fn,dz
local cw,cx
local function bI(a)
aE[a],c[a],e[a],g[a]=true,-1,h,0
end
local function fJ(a,j,f)
local B=bK[a]
if du(j,di)~=0 then al[a],f=V(ek,B,f)end
if du(j,em)~=0 then dd[a],f=V(ep,B,f)end
if du(j,el)~=0 then
cq[a]={V(cF,B,f)}
f=cq[a][4]
end
ct[a]=string.sub(B,f)
end
local bu,bs,bt=c,e,g
local function eD(a,gg)
local B,f,c,e,g,p=bK[a],gg+1,nil,nil,nil,nil
local aq,j=#B-f,nil
if aq>=9 then
j,e,c=V("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local D=j%4
local ba,aZ=j%16>=bp,j%32>=bi
if aq<9+2*D+(ba and 7 or 0)+(aZ and 7 or 0)then
f=nil
else
if D>0 then c,f=V(D==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bn and 0 or c
if ba then g,f=V("<I7",B,f)end
if aZ then p,f=V("<I7",B,f)end
end
end
else
f=nil
end
if not f then return false end
bu[a],bs[a],bt[a],af[a]=c,e,g,p
return f>#B or pcall(fJ,a,j,f)
end
local T,aA,aL={},nil,{}
for P,b in ipairs(bf)do aL[b.kind]=true end
for a=1,aw do
local b,B=bf[be and be[a]or 1],bK[a]
H[a]=b
if not B then
T[#T+1]=a
else
local ga=aN(B,b.definition,1,true)==1 and eD(a,#b.definition)
if not ga or dd[a]or e[a]>h then
aA=aA or{}
aA[#aA+1]=a
end
end
end
local bE,fm
if S then
bE={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fm(f)
local ag,eu=S[f],S[f+1]
if ag>0 then return 1 end
if ag==bW then return 1+bE[bW]+2*(S[f+6]+S[f+7])end
local fZ=ag==dr or ag==dm
return 1+bE[ag]+(fZ and dg*eu or ag==cN and eu or 0)
end
end
local aK={}
local function co(a,i,bv)
c[a]=c[a]+bv
if i.record and bv~=0 then i.record(a,bv)end
end
local function fF(a,b,w)
local i,fi=b.algorithm,w*b.counts_per_unit
i.advance(a,b)
co(a,i,fi)
g[a]=g[a]+fi
end
local function gC(a,b,fb,gr)
local i,dE=b.algorithm,gr-fb
i.advance(a,b)
local ae=(i.most_counts and i.most_counts(b)or ay)-c[a]-(af[a]or 0)
local ge=i.queues and 0 or-g[a]
co(a,i,F(ge,U(dE*b.counts_per_unit,F(0,ae))))
g[a]=U(F(0,g[a]-fb*b.counts_per_unit),c[a])
if dE>0 and aB[a]then ck(a,b,dE,bo)end
end
local function fD(a,b,t,cA,f)
local i,fj=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],af[a]=0,i.is_aligned and f-(f-(bM and bM[a]or 0))%b.period or f,nil
co(a,i,ah(t/fj))
g[a]=X(cA/fj)
end
local function gc(a,b,x)
local i=b.algorithm
if not i.has_history or b.period~=x.period then return false end
local function ff(I)return string.match(I,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return ff(b.definition)==ff(x.definition)and i.used(a,b)<=b.capacity_ticks
end
local function aS(i)
i.charge,i.settle,i.begin,i.keep=fF,gC,fD,gc
return i
end
local function ev(b)
b.algorithm=aK[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local dP=aL[dl]or aL[dj]or aL[dk]
if dP then aL[br],aL[ab],aL[bL]=true,true,true end
if aA or aL[br]then
local az={is_reservable=true}
local function dH(ax,o)
while o~=0 do ax,o=o,ax%o end
return ax
end
function az.define(b)
local cD=dH(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cD,b.rate/cD
end
function az.used(a,b)
local c,e,g=c[a],e[a],0
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bu,bs,bt=c,e,g
function az.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bu[a],bs[a],bt[a]=c,e,g
end
function az.reset_after(a,b)
local c,e,g,z=c[a],e[a],0,nil
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
z=c==0 and 0 or e-h+ah(c/b.refill_per_ms)
return z
end
aK[br]=aS(az)
end
if aA or aL[ab]then
local aH={is_aligned=true,is_reservable=true}
function aH.used(a,b)
local c,e,g=c[a],e[a],0
local u=h-e
if u>=b.period then
local O=X(u/b.period)
c,e=c-O*b.rate,e+O*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bu,bs,bt=c,e,g
function aH.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local u=h-e
if u>=b.period then
local O=X(u/b.period)
c,e=c-O*b.rate,e+O*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bu[a],bs[a],bt[a]=c,e,g
end
function aH.reset_after(a,b)
local c,e,g,z=c[a],e[a],0,nil
local u=h-e
if u>=b.period then
local O=X(u/b.period)
c,e=c-O*b.rate,e+O*b.period
if c<0 then c=0 end
if g>c then g=c end
end
z=c==0 and 0 or e+ah(c/b.rate)*b.period-h
return z
end
function aH.most_counts(b)
return b.rate==0 and ay or U(ay,X(ay/b.period)*b.rate)
end
aK[ab]=aS(aH)
end
if aA or aL[bL]then
local aH={is_aligned=true,has_history=true,counts_units=true}
function aH.define(b)
b.ticks_per_unit=b.period
end
function aH.used(a,b)
local c,e,g,p,t=c[a],e[a],0,af[a],nil
local u=h-e
if u>=b.period then
local O=X(u/b.period)
p=O==1 and c>0 and c or nil
c,e,g=0,e+O*b.period,0
end
t=c*b.period
if p then t=t+p*(b.period-F(0,h-e))end
return t
end
local bu,bs,bt=c,e,g
function aH.advance(a,b)
local c,e,g,p=c[a],e[a],g[a],af[a]
local u=h-e
if u>=b.period then
local O=X(u/b.period)
p=O==1 and c>0 and c or nil
c,e,g=0,e+O*b.period,0
end
bu[a],bs[a],bt[a],af[a]=c,e,g,p
end
function aH.reset_after(a,b)
local c,e,g,p,z=c[a],e[a],0,af[a],nil
local u=h-e
if u>=b.period then
local O=X(u/b.period)
p=O==1 and c>0 and c or nil
c,e,g=0,e+O*b.period,0
end
z=c>0 and e+2*b.period-h or p and e+b.period-h or 0
return z
end
function aH.most_counts(b)
return X(ay/b.period)
end
aK[bL]=aS(aH)
end
if aA or aL[cn]then
function cw(a,b)
return(string.gsub(KEYS[dJ[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cr(aJ,ac)
local E=redis.pcall(aJ,ac,0,0)
if not E.err then return E end
if not aN(E.err,"WRONGTYPE",1,true)then error(E.err)end
end
function cx(ac,aJ,aq)
local E=cr(aJ,ac)
if not E then return false end
if E[1]and#E[1]~=aq then return false end
if E[1]then W("UNLINK",ac)end
return true
end
local function dM(a,d,aJ,aq)
local E=cr(aJ,d.key)
if not E or E[1]and#E[1]~=aq then return bI(a)end
return E[1]~=nil
end
local function cb(aJ,ac,bN)
for J=1,#bN,aQ do
W(aJ,ac,unpack(bN,J,U(J+aQ-1,#bN)))
end
end
local function aP(a)
return F(e[a],h)
end
local function ee(eb)
local aR={}
for ac in pairs(eb)do aR[#aR+1]=ac end
table.sort(aR)
return aR
end
local bD,aI,bq="<i6I7",13,9007199254740992
local aY=32
local bX=aY*aI
local dp=1024
local at={has_history=true,keeps_list=true}
local function gm(M,m)
return M>=bq-m and M-(bq-m)or M+m
end
local function bR(M,dD)
return M<dD and M-dD+bq or M-dD
end
local function eX(d,dU)
local v=d.read[dU]
if not v then
v=W("LINDEX",d.key,dU-1)
d.read[dU]=v
end
return v
end
local function bH(d,aj)
local v,dS=d.tail,(aj-d.pages*aY-1)*aI
if dS<0 then v,dS=eX(d,ah(aj/aY)),(aj-1)%aY*aI end
local q,M=V(bD,v,dS+1)
return q-d.shift,M
end
local function bT(d,aj)
if aj==d.head then return d.base end
local P,M=bH(d,aj)
return M
end
local function eR(d,q)
local aF,aO=d.head,d.length
if aF==aO or bH(d,aF+1)>q then return aF end
while aF<aO do
local bc=ah((aF+aO)/2)
if bH(d,bc)<=q then aF=bc else aO=bc-1 end
end
return aF
end
local function eQ(d,m)
local aF,aO=d.head,d.length
while aF<aO do
local bc=ah((aF+aO)/2)
if bR(d.sum,bT(d,bc))>=m then aF=bc else aO=bc-1 end
end
return aF
end
local function ec(d,ak)
d.tail,d.length=ak,d.pages*aY+#ak/aI
d.sum=d.length>d.head and select(2,bH(d,d.length))or d.base
end
local function es(d,q,M)
d.tail=d.tail..K(bD,q+d.shift,M)
d.length,d.sum=d.length+1,M
end
function at.open(a,b)
local ac=cw(a,b)
local dK=s[a]and s[a].key==ac and s[a].is_apart
s[a]={
key=ac,is_apart=dK,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return s[a]
end
function at.load(a,b)
local d,as,ak=at.open(a,b),cq[a],ct[a]or""
if#ak%aI~=0 then return bI(a)end
if as then
d.pages,d.head,d.shift=as[1],as[2],as[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not dM(a,d,"LRANGE",bX)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
ak=K(bD,e[a]+d.shift,c[a])
end
ec(d,ak)
d.base=bR(d.sum,c[a])
end
local function cS(a,b)
local d,bd=s[a],aP(a)-b.period
if d.over~=bd then d.over,d.last_over=bd,eR(d,bd)end
return d.last_over
end
function at.used(a,b)
local d=s[a]
return bR(d.sum,bT(d,cS(a,b)))
end
function at.advance(a,b)
local d,bd=s[a],cS(a,b)
d.base=bT(d,bd)
d.head=bd
c[a]=bR(d.sum,d.base)
g[a]=U(g[a],c[a])
end
function at.reset_after(a,b)
local d=s[a]
if d.length==d.head then return 0 end
return F(0,bH(d,d.length)+b.period-h)
end
local function gn(a,m)
local d,q=s[a],aP(a)
local M=gm(d.sum,m)
if d.length==d.head then d.base,M=0,m end
if d.length>d.head and bH(d,d.length)==q then
d.tail,d.length=string.sub(d.tail,1,-aI-1),d.length-1
end
es(d,q,M)
e[a]=q
end
local function gJ(d,aj)
if aj<=d.pages*aY then
local ei=F(0,ah(aj/aY)-1)
local ak=aj>0 and string.sub(eX(d,ei+1),1,(aj-ei*aY)*aI)or""
d.pages=ei
return ec(d,ak)
end
ec(d,string.sub(d.tail,1,(aj-d.pages*aY)*aI))
end
local function gH(a,m)
local d=s[a]
local C,M=eQ(d,m),bR(d.sum,m)
d.cuts[C],d.cuts[C+1]=true,true
local q=C<d.length and M~=bT(d,C)and bH(d,C+1)
gJ(d,C)
if q then es(d,q,M)end
end
function at.record(a,bv)
if bv>0 then gn(a,bv)else gH(a,-bv)end
end
function at.note(a,b,ae)
local d=s[a]
if al[a]and al[a]>h then d.cuts[eR(d,F(e[a],al[a])-b.period)]=true end
if ae>=0 and at.used(a,b)>ae then d.cuts[eQ(d,ae+1)+1]=true end
end
function at.note_each(a,b,m)
local d,aj=s[a],cS(a,b)
local p,ae=bT(d,aj),at.used(a,b)+m-b.capacity_ticks
while aj<d.length and bR(bT(d,aj),p)<ae do
aj=aj+1
d.cuts[aj]=true
end
bA[a].is_whole=aj==d.length
if not bA[a].is_whole then at.note(a,b,-1)end
end
function at.see(a,b)
local d,bd=s[a],cS(a,b)
bA[a]={
key=d.key,pages=d.pages,head=bd,base=bT(d,bd),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function at.show(a,r)
local R,w=bA[a],#r+1
local M,av=R.base,0
if R.length>R.head then R.cuts[R.head+1],R.cuts[R.length]=true,true end
r[w]=0
for P,aj in ipairs(ee(R.cuts))do
if aj>R.head and aj<=R.length then
local q,bk=bH(R,aj)
r[#r+1],r[#r+2]=q,bR(bk,M)
M,av=bk,av+1
end
end
r[w]=R.is_whole and av or-av
end
function at.divide(a)
local d=s[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=U(X(d.head/aY),d.pages,dp)
d.kept=d.pages-d.dropped
local cf,ak,cZ=d.head-d.dropped*aY,d.tail,{}
if d.kept==0 then cf,ak=0,string.sub(ak,cf*aI+1)end
local dL=nil
while#ak>bX do
if dL==nil then dL=d.is_apart or cx(d.key,"LRANGE",bX)end
if not dL then break end
cZ[#cZ+1],ak=string.sub(ak,1,bX),string.sub(ak,bX+1)
end
d.pushed=cZ
local eY=d.kept+#cZ
return(eY>0 or d.shift~=0)and K(cF,eY,cf,d.shift)or"",ak
end
function at.write(a,an)
local d=s[a]
if d.is_apart and d.kept==0 then W("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
W("LTRIM",d.key,d.dropped,d.pages-1)
end
cb("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then W("PEXPIRE",d.key,an)end
end
function at.rewind(a,au)
s[a].shift,s[a].over=s[a].shift+au,nil
end
aK[cn]=aS(at)
local gB=at.keep
function at.keep(a,b,x)
if not gB(a,b,x)then return false end
dz(a,b,"LRANGE",bX)
return true
end
end
if aA or aL[en]then
local az={is_reservable=true}
local function dH(ax,o)
while o~=0 do ax,o=o,ax%o end
return ax
end
function az.define(b)
local cD=dH(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cD,b.rate/cD
end
function az.used(a,b)
local c,e,g=c[a],e[a],0
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bu,bs,bt=c,e,g
function az.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bu[a],bs[a],bt[a]=c,e,g
end
function az.reset_after(a,b)
local c,e,g,z=c[a],e[a],0,nil
local u=h-e
if u>0 then
c,e=c-u*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
z=c==0 and 0 or e-h+ah(c/b.refill_per_ms)
return z
end
az.queues=true
aK[en]=aS(az)
end
if aA or aL[dh]then
function cw(a,b)
return(string.gsub(KEYS[dJ[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cr(aJ,ac)
local E=redis.pcall(aJ,ac,0,0)
if not E.err then return E end
if not aN(E.err,"WRONGTYPE",1,true)then error(E.err)end
end
function cx(ac,aJ,aq)
local E=cr(aJ,ac)
if not E then return false end
if E[1]and#E[1]~=aq then return false end
if E[1]then W("UNLINK",ac)end
return true
end
local function dM(a,d,aJ,aq)
local E=cr(aJ,d.key)
if not E or E[1]and#E[1]~=aq then return bI(a)end
return E[1]~=nil
end
local function cb(aJ,ac,bN)
for J=1,#bN,aQ do
W(aJ,ac,unpack(bN,J,U(J+aQ-1,#bN)))
end
end
local function aP(a)
return F(e[a],h)
end
local function ee(eb)
local aR={}
for ac in pairs(eb)do aR[#aR+1]=ac end
table.sort(aR)
return aR
end
local cG,dn,cM="<I7B",8,35184372088832
local dp=128
local function bS(D,q)
return ce("%.0f",(D-1)*cM+q)
end
local function dC(m,eh)
local D=1
while m>0 do
if m%2==1 then eh(D)end
m,D=X(m/2),D+1
end
end
local function fG(d,q)
local m,fC=0,F(0,d.floor+d.shift+1)
for D=1,d.sizes do
local aT=W("ZCOUNT",d.key,bS(D,fC),bS(D,q+d.shift))
m=m+2^(D-1)*aT
end
return m
end
local function gq(d,A)
local aT={}
for D=1,d.sizes do aT[D]=K(cG,A,D)end
local n={units=0,id=A}
for D,v in ipairs(#aT>0 and W("ZMSCORE",d.key,unpack(aT))or{})do
if v then
n.units=n.units+2^(D-1)
n.instant=tonumber(v)-(D-1)*cM-d.shift
end
end
return n.units>0 and n or nil
end
local function gD(d,bj)
for D=1,d.sizes do
local J,C,aU=bS(D,bj+d.shift),bS(D+1,-1),{}
for P,gi in ipairs(W("ZRANGEBYSCORE",d.key,"("..J,C))do
aU[#aU+1],aU[#aU+2]=J,gi
end
cb("ZADD",d.key,aU)
end
end
local function gp(d)
local dw,L,E={},{},W("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#E,2 do
local A,D=V(cG,E[f])
local n=dw[A]or{units=0,id=A}
n.instant=tonumber(E[f+1])-(D-1)*cM-d.shift
n.units=n.units+2^(D-1)
if not dw[A]then dw[A],L[#L+1]=n,n end
end
return L
end
local function gM(d,gt,cp)
local aT,aU={},{}
for A,n in pairs(gt)do
dC(n.units,function(D)aT[#aT+1]=K(cG,A,D)end)
end
for P,n in pairs(cp)do
dC(n.units,function(D)
aU[#aU+1],aU[#aU+2]=bS(D,n.instant+d.shift),K(cG,n.id,D)
end)
end
cb("ZREM",d.key,aT)
cb("ZADD",d.key,aU)
return#aU/2
end
local function fO(d,cp)
local aC=dp+cp
for D=1,d.sizes do
local J,C=bS(D,0),bS(D,F(-1,d.floor+d.shift))
local aT=aC>0 and W("ZRANGEBYSCORE",d.key,J,C,"LIMIT",0,aC)or{}
cb("ZREM",d.key,aT)
aC=aC-#aT
end
end
local eo,fq="<i6I4I7",17
local fu=-cM
local fs=16
local Q={holds_leases=true,keeps_list=true}
function Q.open(a,b)
local ac=cw(a,b)
local dK=s[a]and s[a].key==ac and s[a].is_apart
s[a]={
key=ac,is_apart=dK,shift=0,cuts={},kept={},sizes=0,floor=fu,
found={},removed={},added={},
}
return s[a]
end
function Q.load(a,b)
local d,as,v=Q.open(a,b),cq[a],ct[a]or""
if#v%fq~=0 then return bI(a)end
local f=1
while f<=#v do
local n={}
n.instant,n.units,n.id,f=V(eo,v,f)
d.kept[#d.kept+1]=n
end
if not as then return end
d.sizes,d.floor,d.shift=as[1],as[2],as[3]
d.is_apart,d.kept=true,nil
if dM(a,d,"ZRANGE",dn)or aE[a]then return end
Q.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bo}
end
local function eB(d,q)
if q<=d.floor then return 0 end
if not d.kept then return fG(d,q)end
local m=0
for P,n in ipairs(d.kept)do
if n.instant>q then break end
if n.instant>d.floor then m=m+n.units end
end
return m
end
local function dA(L,d,q)
local m=0
for P,n in pairs(L)do
if n.instant>d.floor and n.instant<=q then m=m+n.units end
end
return m
end
local function eC(d,q)
return eB(d,q)-dA(d.removed,d,q)+dA(d.added,d,q)
end
local function fH(a)
local d,q=s[a],aP(a)
if q<=d.floor then return 0 end
if d.over~=q then d.over,d.units_over=q,eC(d,q)end
return d.units_over
end
function Q.used(a)
return c[a]-fH(a)
end
function Q.advance(a)
c[a]=Q.used(a)
s[a].floor=F(s[a].floor,aP(a))
end
local function fR(d,A)
for P,n in ipairs(d.kept)do
if n.id==A then return n end
end
end
local function fS(d,A)
if d.found[A]==nil then
d.found[A]=(d.kept and fR or gq)(d,A)or false
end
return d.found[A]or nil
end
local function eJ(d,A)
local n=d.added[A]or not d.removed[A]and fS(d,A)or nil
return n and n.instant>d.floor and n or nil
end
local function bl(d,A)
local n=eJ(d,A)
if not n then return 0 end
if d.added[A]then d.added[A]=nil else d.removed[A]=n end
return n.units
end
local function co(a,A,m,q)
local d=s[a]
local p=bl(d,A)
d.added[A]={instant=q,units=p+m,id=A}
end
function Q.charge(a,b,m,A)
Q.advance(a)
e[a]=aP(a)
co(a,A,m,e[a]+b.period)
c[a]=c[a]+m
end
Q.settle=Q.advance
function Q.reset_after(a,b)
return Q.used(a)==0 and 0 or e[a]+b.period-h
end
function Q.begin(a,b,t,P,f)
Q.open(a,b)
c[a],e[a],af[a],g[a]=0,f,nil,0
if t>0 then Q.charge(a,b,t,bo)end
end
local function ew(ao,au,bj)
local L={}
for l,n in ipairs(ao)do
L[l]={instant=U(n.instant-au,bj),units=n.units,id=n.id}
end
return L
end
function Q.keep(a,b,x)
dz(a,b,"ZRANGE",dn)
Q.advance(a)
local d,bj=s[a],aP(a)+b.period
if d.kept then d.kept=ew(d.kept,0,bj)
elseif b.period<x.period and not aE[a]then gD(d,bj)
end
e[a]=aP(a)
return true
end
local function eW(L,au)
local eV={}
for A,n in pairs(L)do eV[A]={instant=n.instant-au,units=n.units,id=A}end
return eV
end
function Q.rewind(a,au)
local d=s[a]
d.floor,d.over,d.found=d.floor-au,nil,{}
d.added,d.removed=eW(d.added,au),eW(d.removed,au)
if d.kept then d.kept=ew(d.kept,au,math.huge)else d.shift=d.shift+au end
end
local function dW(a,A,w)
Q.advance(a)
local d=s[a]
local n=eJ(d,A)
if not n or n.units~=w then return false end
c[a]=c[a]-bl(d,A)
return true
end
local function fa(a,b,A,w)
local cu=dW(a,A,w)
if cu then Q.charge(a,b,w,A)end
return cu
end
local function eF(a,eh)
for P,o in ipairs(aB[a]or{})do
if H[o].algorithm==Q then eh(o,H[o])end
end
end
function Q.release(a,P,A,w)
eF(a,function(o)dW(o,A,w)end)
dW(a,A,w)
end
function Q.renew(a,b,A,w)
if not fa(a,b,A,w)then return end
eF(a,function(o,eO)
if not fa(o,eO,A,w)then Q.charge(o,eO,w,A)end
end)
end
local function fQ(a,b,m)
local d,aF,aO=s[a],aP(a),e[a]+b.period
for P,n in ipairs(d.kept or{})do
local cu=n.instant>d.floor and not d.removed[n.id]
if cu then m=m-n.units end
if cu and m<=0 then return n.instant end
end
if d.kept then return aO end
while aF+1<aO do
local bc=X((aF+aO)/2)
if eC(d,bc)>=m then aO=bc else aF=bc end
end
return aO
end
function Q.note(a,b,ae)
local d=s[a]
if al[a]and al[a]>h then d.cuts[F(e[a],al[a])]=true end
if ae>=0 and Q.used(a)>ae then d.cuts[fQ(a,b,c[a]-ae)]=true end
end
function Q.note_each(a)
bA[a].is_whole=true
end
function Q.see(a,b)
local d=s[a]
bA[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=F(d.floor,aP(a)),
used=Q.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function gk(R)
local fe,L=R.found,{}
if R.is_whole then fe=R.kept or gp(R)end
for P,n in pairs(fe)do
if n and n.instant>R.floor then L[#L+1]=n end
end
table.sort(L,function(ax,o)return ax.instant<o.instant end)
return L
end
function Q.show(a,r)
local R,w,av,M,cz=bA[a],#r+1,0,0,1
local dO=gk(R)
local function fd(q,m,A)
r[#r+1],r[#r+2],r[#r+3]=q,m,A
av=av+1
end
r[w],R.cuts[R.latest]=0,true
for P,cc in ipairs(ee(R.cuts))do
if cc>R.floor and cc<=R.latest then
local bk=cc==R.latest and R.used or eB(R,cc)
local G=bk-M
while dO[cz]and dO[cz].instant<=cc do
local n=dO[cz]
fd(n.instant,n.units,n.id)
G,cz=G-n.units,cz+1
end
if G>0 then fd(cc,G,-1-av)end
M=bk
end
end
r[w]=av
end
local function ai(d)
local L={}
for P,n in ipairs(d.kept)do
if n.instant>d.floor and not d.removed[n.id]then L[#L+1]=n end
end
for P,n in pairs(d.added)do L[#L+1]=n end
return L
end
function Q.divide(a)
local d,E=s[a],{}
if not d.kept and c[a]==dA(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local L=ai(d)
if#L<=fs or not(d.is_apart or cx(d.key,"ZRANGE",dn))then
for l,n in ipairs(L)do E[l]=K(eo,n.instant,n.units,n.id)end
return"",table.concat(E)
end
d.moved=L
end
for P,n in pairs(d.moved or d.added)do
dC(n.units,function(D)d.sizes=F(d.sizes,D)end)
end
return K(cF,d.sizes,d.floor,d.shift),""
end
function Q.write(a,an)
local d=s[a]
if d.kept and d.is_apart then W("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cp=gM(d,d.removed,d.moved or d.added)
if not d.kept then fO(d,cp)end
W("PEXPIRE",d.key,an)
end
aK[dh]=Q
end
if aA or dP then
local cB,bl=string.rep,table.remove
local gK,gE=c,e
local function cY(a)
return F(e[a],h)
end
local function cW(a,au)
local k={unpack(s[a].shares)}
for l=1,#k,aa do k[l]=k[l]-au end
s[a]={shares=k}
return k
end
local function eE(a)
local k,q=s[a].shares,cY(a)
if not k[1]or k[1]>q then return end
k=cW(a,0)
while k[1]and k[1]<=q do
for P=1,aa do bl(k,1)end
end
end
local function df(a,q)
local k,m=s[a].shares,0
for l=1,#k,aa do
if k[l]>q then m=m+k[l+1]end
end
return m
end
local function cA(a)
s[a]={shares={}}
end
local function gh(a)
local v=ct[a]or""
local w=#v/er
if w%1~=0 or w>cH then return bI(a)end
local k={V(cB(cL,w),v)}
k[#k]=nil
s[a]={shares=k}
end
local function fM(a)
local k=s[a].shares
return"",K(cB(cL,#k/aa),unpack(k))
end
local function gA(a)
bA[a]=s[a].shares
end
local function ed(a,r)
local k,f=bA[a],#r+1
r[f]=#k/aa
for l=1,#k do r[f+l]=k[l]end
end
local function fT(a,b)
if df(a,cY(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],af[a],g[a]=df(a,0)*b.counts_per_unit,nil,0
return true
end
local function dX(a,b,f,aC,bF)
b.algorithm.advance(a,b)
local k,ad=cW(a,0),0
local bz,bJ=0,0
for cC=1,aC+bF do
local dZ,m,l=S[f],S[f+1],aa
while k[l]and k[l]~=dZ do l=l+aa end
if k[l]then
local p=k[l-1]
local bV=U(p,m)
local aD=cC>aC and 0 or bV
k[l-1],ad,bJ=aD,ad-p+aD,bJ+p-bV
if cC>aC then bz=bz+bV end
for P=1,aD==0 and aa or 0 do bl(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bz*b.counts_per_unit
g[a]=g[a]+bJ*b.counts_per_unit
end
local function gf(a,b,A,bC)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ad,t=cW(a,0),df(a,0),i.used(a,b)
local bQ=i.lent_until(a,b)
local m=0
if bC>0 and#k<aa*cH then
local dI=X(b.capacity_ticks/b.ticks_per_unit/2)
m=U(bC,ah(X((b.capacity_ticks-t)/b.ticks_per_unit)/2),dI-ad)
end
if m>0 then
local L,q=m,F(bQ,k[#k-2]or bQ)
for l=#k,aa,-aa do
if k[l]==A then
L=L+k[l-1]
for P=1,aa do bl(k,l-2)end
end
end
local C=#k
k[C+1],k[C+2],k[C+3]=q,L,A
ad=ad+m
else
m=0
end
c[a]=c[a]+m*b.counts_per_unit
return m
end
local function dQ(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cA,gh,fM,gA,ed,cW
i.forget,i.report,i.lend=fT,dX,gf
return aS(i)
end
local az={base=aK[br],is_reservable=true,define=aK[br].define}
local function dv(a,b)
local c,e,k=gK[a],gE[a],s[a].shares
local ai=df(a,0)*b.ticks_per_unit
local l,aP=1,F(h,e)
while l<#k and k[l]<=aP do
local q=k[l]
if q>e then
c,e=F(ai,c-(q-e)*b.refill_per_ms),q
end
ai,l=ai-k[l+1]*b.ticks_per_unit,l+aa
end
if h>e then c,e=F(ai,c-(h-e)*b.refill_per_ms),h end
return c,e,ai
end
function az.used(a,b)
return(dv(a,b))
end
function az.advance(a,b)
local ai
c[a],e[a],ai=dv(a,b)
g[a]=U(g[a],c[a]-ai)
eE(a)
end
function az.reset_after(a,b)
local k,z=s[a].shares,nil
local c,e,ai=dv(a,b)
local bx,q=c,e
for l=1,#k,aa do
if k[l]>e then
bx=F(ai,bx-(k[l]-q)*b.refill_per_ms)
q,ai=k[l],ai-k[l+1]*b.ticks_per_unit
end
end
z=bx<=0 and 0 or q+ah(bx/b.refill_per_ms)-h
return z
end
function az.lent_until(a,b)
return cY(a)+b.share
end
local function eS(aH)
local i=setmetatable({base=aH},{__index=aH})
function i.advance(a,b)
aH.advance(a,b)
eE(a)
end
function i.lent_until(a,b)
return U(cY(a)+b.share,e[a]+b.period)
end
return i
end
aK[dl]=dQ(az)
aK[dj]=dQ(eS(aK[ab]))
aK[dk]=dQ(eS(aK[bL]))
end
for P,b in ipairs(bf)do ev(b)end
local eP=aA or aL[cn]or aL[dh]or dP
for J=1,#T,aQ do
local C,aR=U(J+aQ-1,#T),{}
for l=J,C do aR[#aR+1]=KEYS[T[l]]end
if W("EXISTS",unpack(aR))>0 then
for l=J,C do
if W("EXISTS",KEYS[T[l]])==1 then bI(T[l])end
end
end
end
for P,a in ipairs(T)do
if not aE[a]then H[a].algorithm.begin(a,H[a],0,0,h)end
end
if aA then
local ft=7
local function dV(I)
local ej={}
for gL in string.gmatch(I or"","[^,\\n]+")do ej[#ej+1]=tonumber(gL,36)or false end
local i,aS,cX,dx,cO=unpack(ej)
local bY=aK[i]
if not(bY and aS and cX)then return nil end
dx=dx or aS
local b=eZ(I,i,aS,cX,1,0,0,0)
if bY.define then bY.define(b)end
b.capacity_ticks=dx*b.ticks_per_unit
if bY.is_reservable and aS>0 then
local ae=(bY.most_counts and bY.most_counts(b)or ay)-b.capacity_ticks
b.debt_ticks=cO and U(cO*b.ticks_per_unit,ae)or ae
end
ev(b)
return b
end
local cT=aw
local function dR(a)
cT=cT+1
dJ[cT]=a
return cT
end
local function fL(a,v)
aB[a]={}
for l,gF in ipairs(cmsgpack.unpack(v))do
local o,I,as=dR(a),nil,nil
I,c[o],e[o],g[o],af[o],bh[o],as,ct[o]=
unpack(gF)
if af[o]==0 then af[o]=nil end
local b=assert(dV(I))
H[o],aB[a][l]=b,o
if as~=""then cq[o]={V(cF,as)}end
if b.algorithm.load then b.algorithm.load(o,b)end
assert(not aE[o])
end
end
function eG(a)
local L,bj={},h
for l,o in ipairs(aB[a])do
local b,as,cs=H[o],"",""
bj=F(bj,bh[o])
if b.algorithm.divide then as,cs=b.algorithm.divide(o)end
L[l]={
b.definition,c[o],e[o],g[o],af[o]or 0,bh[o],as,cs,
}
end
return cmsgpack.pack(L),bj-h
end
function fn(a,an)
for P,o in ipairs(aB[a])do
local i=H[o].algorithm
if i.write then i.write(o,an)end
end
end
local function fK(a)
local x=dV(string.match(bK[a],"^[^\\n]*\\n"))
if not x or not eD(a,#x.definition)then return nil end
if dd[a]and not pcall(fL,a,dd[a])then return nil end
return x
end
local function dy(t,x,b)
if x.ticks_per_unit==b.ticks_per_unit then return t end
local m=X(t/x.ticks_per_unit)
local gv=(t-m*x.ticks_per_unit)/x.ticks_per_unit
return m*b.ticks_per_unit+U(b.ticks_per_unit,ah(gv*b.ticks_per_unit))
end
local function eU(t,x,b)
return b.capacity_ticks+U(dy(F(0,t-x.capacity_ticks),x,b),b.debt_ticks)
end
local function gx(ax,o)
return(ax.base or ax)==(o.base or o)
end
local function gj(a,b,x)
local cV,cy=x.algorithm,b.algorithm
if gx(cV,cy)and cy.keep(a,b,x)then
if cV.base or cy.base then s[a]=cy.base and{shares={}}or nil end
return
end
cV.advance(a,x)
local t=cV.used(a,x)
local ao=U(dy(t,x,b),eU(t,x,b))
local cA=U(ao,dy(g[a]*x.ticks_per_unit/x.counts_per_unit,x,b))
s[a]=nil
cy.begin(a,b,ao,cA,F(h,e[a]))
end
local function eT(b)
if b.rate==0 then return 2*b.period end
return b.period*F(2,ah(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function ez(ax,o)
c[o],e[o],g[o],af[o]=c[ax],e[ax],g[ax],af[ax]
end
local function eA(ax,bw)
for eI,B in pairs(ax)do
if bw[eI]==nil then bw[eI]=B end
end
return bw
end
function dz(a,b,go,aq)
local d=s[a]
local bw=eA(d,{key=cw(a,b),is_beside=false,cuts={},found={},removed={},added={}})
s[a]=bw
if not bw.is_apart or bw.key==d.key then return end
if not cx(bw.key,go,aq)then return bI(a)end
W(d.is_beside and"COPY"or"RENAME",d.key,bw.key)
end
local function ey(a,x,b)
local o=dR(a)
H[o],s[o]=x,s[a]
if s[a]then
s[a].is_beside=true
s[a]=eA(s[a],{})
end
ez(a,o)
bh[o]=U(h+F(x.algorithm.reset_after(o,x),eT(x),eT(b)),ay)
return o
end
local function dY(a,b)
if e[a]-h<b.period then return 0 end
local ag=b.algorithm.is_aligned and b.period or 1
local au=X((e[a]-h)/ag)*ag
e[a],al[a]=e[a]-au,al[a]and F(0,al[a]-au)
if s[a]then b.algorithm.rewind(a,au)end
return au
end
local function dB(G)
local ao={}
for P,o in ipairs(G or{})do
bh[o]=bh[o]-dY(o,H[o])
if bh[o]>h then ao[#ao+1]=o end
end
return ao
end
local eq="1,0,eiz5s00,gjdgxs\\n"
local function dT(G)
for l,o in ipairs(G or{})do
if H[o].definition==eq then return o,l end
end
end
local function gl(a)
local am=dR(a)
H[am]=dV(eq)
c[am],e[am],af[am],g[am],bh[am]=0,h,0,0,0
return am
end
local function fB(a,x,G)
local am,l=dT(G)
if am then table.remove(G,l)else am=gl(a)end
local t,cg=x.algorithm.used(a,x),x.ticks_per_unit
c[am]=F(c[am],ah(t/cg))
af[am]=F(af[am]or 0,ah((t-x.capacity_ticks)/cg))
bh[am]=F(bh[am],U(h+x.algorithm.reset_after(a,x),ay))
G[#G+1]=am
end
local function fI(a,b)
local am=dT(aB[a])
if not am then return end
local i,cg=b.algorithm,b.ticks_per_unit
local cO=U((af[am]or 0)*cg,b.debt_ticks)
local t=U(c[am]*cg,b.capacity_ticks+cO)
local fc=t-i.used(a,b)
if fc<=0 then return end
if i.holds_leases then return i.charge(a,b,fc,h)end
i.advance(a,b)
i.begin(a,b,t,g[a]*cg/b.counts_per_unit,F(h,e[a]))
end
local function gI(a,b,x,G)
local P,am=dT(G)
if x.algorithm.reset_after(a,x)>0 then
local fX=#G-(am and 1 or 0)>=ft
if fX then fB(a,x,G)
else G[#G+1]=dB({ey(a,x,b)})[1]end
end
aB[a]=#G>0 and G or nil
gj(a,b,x)
fI(a,b)
end
local function gG(a,b,x,G,gd)
dY(a,x)
local o=table.remove(G,gd)
G[#G+1]=ey(a,x,b)
aB[a]=G
ez(o,a)
s[a]=s[o]
end
local function fE(a,b,x)
local G=dB(aB[a])
for l,o in ipairs(G)do
if H[o].definition==b.definition then return gG(a,b,x,G,l)end
end
gI(a,b,x,G)
end
function ca(a,b)
local fW=e[a]>h and c[a]==0 and(af[a]or 0)==0 and(al[a]or 0)<=h
if fW then b.algorithm.begin(a,b,0,0,h)end
end
local function gs(a,b)
local x=fK(a)
if not x then return bI(a)end
local eN=x.definition==b.definition
if eN and e[a]<=h then return end
if x.algorithm.load then x.algorithm.load(a,x)end
if aE[a]then return end
if not eN then fE(a,b,x)end
dY(a,b)
ca(a,b)
aM[a]=true
end
function ck(a,b,w,n)
local G=dB(aB[a])
aB[a]=#G>0 and G or nil
local t=b.algorithm.used(a,b)
for P,o in ipairs(G)do
local bU,m=H[o],w
if n==bo or not bU.algorithm.holds_leases then
local gw=eU(t,b,bU)-bU.algorithm.used(o,bU)
m=U(w,X(gw/bU.ticks_per_unit))
end
if m>0 then bU.algorithm.charge(o,bU,m,n~=bo and n or h)end
end
end
for P,a in ipairs(aA)do gs(a,H[a])end
end
for a=1,eP and aw or 0 do
local b=H[a]
if b.algorithm.load and not aE[a]then
if not s[a]then b.algorithm.load(a,b)end
if not aE[a]then b.algorithm.see(a,b)end
end
end
local r,da={h,0},{}
for a=1,aw do
local f=cJ+cK*(a-1)
local cv,cR=c[a],g[a]
if H[a].algorithm.note and not aE[a]then
cv=H[a].algorithm.used(a,H[a])
cR=U(cR,cv)
end
r[f+1],r[f+2]=cv,h-e[a]
if cR~=cv and not aE[a]then da[a]=cv-cR end
end
local dt=#r+1
r[dt]=0
if next(da)or next(af)or next(al)then
for a=1,aw do
if da[a]or af[a]or al[a]then
local f=#r
r[dt]=r[dt]+1
r[f+1],r[f+2],r[f+3],r[f+4]=a,da[a]or 0,af[a]or 0,al[a]or 0
end
end
end
local N=0
local function eK(a,b,t,ae)
local fV=al[a]and al[a]>h
return not fV and b.algorithm.used(a,b)+t<=ae
end
local function cd(a,b,t,ae)
if aA then ca(a,b)end
if aE[a]then return false end
if eK(a,b,t,ae)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ae-t)end
return false
end
local function ef(a,b,w,n)
b.algorithm.charge(a,b,w,n)
if aB[a]then ck(a,b,w,n)end
aM[a]=true
end
local function fh(a)
local b=H[a]
if not cd(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
ef(a,b,1,bo)
N=N+1
end
if not S then
for a=1,aw do fh(a)end
else
local function et(f,aX)
if aX==1 then return S[f],1,0,0,bo end
return unpack(S,f,f+aX-1)
end
local function eg(J,C,aX,fY)
local ds=not fY
for f=J,C,aX do
local a,w,cj,fU=et(f,aX)
local b=H[a]
local ae=cj==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
ds=cd(a,b,F(1,w)*b.ticks_per_unit+fU,ae)and ds
end
for f=J,ds and C or 0,aX do
local a,w,P,P,n=et(f,aX)
if w>0 then ef(a,H[a],w,n)end
N=N+1
end
end
local function ed(a,m)
local i=H[a].algorithm
if i.note_each and not aE[a]then i.note_each(a,H[a],m)end
end
local function bO(a,b,i,au)
i.advance(a,b)
local aD=i.is_aligned or i.holds_leases and c[a]>0
if not aD then e[a]=F(e[a],h)end
al[a]=F(e[a],h)+au
end
local function fg(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gu(a,b,i)
if al[a]and al[a]<=h then al[a]=nil end
local ad={}
for P,o in ipairs(aB[a]or{})do
if bh[o]>h and fg(o,H[o])then ad[#ad+1]=o
else dG[#dG+1]=s[o]
end
end
aB[a]=#ad>0 and ad or nil
if not fg(a,b)then i.begin(a,b,0,0,h)end
end
local function bv(ag,a,J,ea)
local b=H[a]
local i=b.algorithm
if aE[a]then return end
if aA then ca(a,b)end
if ag==fy then i.settle(a,b,J,ea)
elseif ag==fx then gu(a,b,i)
elseif ag==fp then bO(a,b,i,J)
elseif ag==fA then al[a]=nil
elseif ag==fv and i.holds_leases then i.release(a,b,J,ea)
elseif ag==fw and i.holds_leases then i.renew(a,b,J,ea)
end
if aA then ca(a,b)end
aM[a]=true
end
local function fN(f)
local a,w,cj,A,bC,aC,bF=unpack(S,f+1,f+bE[bW])
local b=H[a]
local i=b.algorithm
if aE[a]then return end
if aA then ca(a,b)end
if aC+bF>0 then
local dX=i.report or i.advance
dX(a,b,f+1+bE[bW],aC,bF)
aM[a]=true
end
local ae=cj==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not eK(a,b,F(1,w)*b.ticks_per_unit,ae)then return end
if w>0 then ef(a,b,w,bo)end
local m=i.lend and i.lend(a,b,A,bC)or 0
if m>0 and aB[a]then ck(a,b,m,bo)end
aM[a],N=true,N+1+m
end
local f,C=1,#S
while f<=C do
local ag,aX=S[f],fm(f)
if ag>0 then fh(ag)
elseif ag==dr then eg(f+1+bE[dr],f+aX-1,dg)
elseif ag==cN then eg(f+1+bE[cN],f+aX-1,1)
elseif ag==dm then eg(f+1+bE[dm],f+aX-1,dg,true)
elseif ag==bW then fN(f)
elseif ag==fz then ed(S[f+1],S[f+2])
else bv(ag,S[f+1],S[f+2],S[f+3])
end
f=f+aX
end
end
for a=1,eP and aw or 0 do
local i=H[a].algorithm
if i.show and not aE[a]then i.show(a,r)end
end
local function fP(a,G)
local I,c,e,g=H[a].definition,c[a],e[a],g[a]
local p,bO,j,ci,v,as,cs=af[a],al[a]or 0,0,"",nil,"",""
local i,aG=H[a].algorithm,nil
if i.divide then as,cs=i.divide(a)end
if bO~=0 then j,ci=di,K(ek,bO)end
if G~=""then j,ci=j+em,ci..K(ep,#G,G)end
if as~=""then j,ci=j+el,ci..as end
if c<16777216 and g==c and not p then
if aG then v=K("<c0Bi6I3i6",I,j,e,c,aG)
else v=K("<c0Bi6I3",I,j,e,c)
end
else
local ar,y="<c0Bi6I3",""
if c>=1099511627776 then ar,j="<c0Bi6I7",j+2
elseif c>=16777216 then ar,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bn
elseif g~=c then j,y=j+bp,K("<I7",g)
end
if p then j,y=j+bi,y..K("<I7",p)end
v=K(ar,I,j,e,c)..y
end
return v..ci..cs
end
local function gy(a)
local b,ac,G,fl=H[a],KEYS[a],"",0
local p,bO=af[a]or 0,al[a]or 0
local z=b.algorithm.reset_after(a,b)
if aB[a]then G,fl=eG(a)end
z=F(z,bO-h,fl)
if not(z>0 or bb>0 and(c[a]>0 or p>0 or bO>0))then
if s[a]and s[a].is_apart then W("UNLINK",s[a].key)end
return W("DEL",ac)
end
local an
an=ce("%d",(z<ay and z or ay)+bb)
W("PSETEX",ac,an,fP(a,G))
if b.algorithm.write then b.algorithm.write(a,an)end
if aB[a]then fn(a,an)end
end
local function gz()
for a=1,aw do
if aM[a]and not aE[a]then gy(a)end
end
for P,d in ipairs(dG)do
if d.is_apart then W("UNLINK",d.key)end
end
end
local gb,Z=pcall(gz)
if not gb then
local v=type(Z)=="table"and Z.err or Z
N=nil
for l,bP in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aN(v,bP,1,true)then N=-l end
end
local bg=aN(v,"READONLY ",1,true)
if bg then return{err=string.sub(v,bg)}end
if not N then error(Z,0)end
end
r[cI]=N
return r
`,
} as const;
