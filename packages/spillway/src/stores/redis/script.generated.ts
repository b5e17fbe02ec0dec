/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "9756ab1d70b25ca4269397b3344f140070c0c1fe",
  source: `local N,Y,bK,aF,hz=struct.pack,struct.unpack,string.format,string.find,string.byte
local ab,bS,aa,F,ad,ao=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local as=4503599627370496
local aU=4000
local bB=0
local bv,ag,ce,cD,eQ,dc,dM,dK,dL,cf,ge,gd,fX,gg,gc,eV,eU,hu,cp,dl,dN,gf,db,dg,di,dh,hy,hx,hv,hw,cC=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-13,-11,-8,-9,-10,5,2,2,4,8,6,2,3,2
local bN=ARGV[4]
local h,bb=tonumber(ARGV[bN and 9 or 3]),3600000
if not h then
local fS=ab("TIME")
h,bb=fS[1]*1000+ad(fS[2]/1000),0
end
local bh,bC,bu,dJ,eP,eO=4,8,16,32,64,128
local eN="<I7"
local eT="<I4c0"
local da="<I4i7i6"
local dj,eW,af,df="<i6I4I7",17,3,256
local dU=bit.band
local function ey(
G,i,bf,aX,cB,refill_per_ms,capacity_ticks,debt_ticks,aw,cy
)
return{
numbers=aw,bytes=#G+(i<ag and 16 or 10),
definition=G,kind=i,rate=bf,period=aX,ticks_per_unit=cB,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cy,
}
end
local at=#KEYS
local aS,bt,bg,be,aI,O
if not bN then
aS=cjson.decode(ARGV[1])
for l=1,#aS do aS[l]=ey(unpack(aS[l]))end
if ARGV[2]and ARGV[2]~=""then bt=cjson.decode(ARGV[2])end
if bt then be,aI,O=bt.owners,bt.anchors,bt.steps end
bg=ab("MGET",unpack(KEYS,1,aa(at,aU)))
for I=aU+1,at,aU do
local fc=ab("MGET",unpack(KEYS,I,aa(I+aU-1,at)))
for l=1,#fc do bg[I+l-1]=fc[l]end
end
end
if bN or bt and bt.leases then
local bA,de=17,16
local fY=10
local cd,L,K,R,f=string.sub,true,0,nil,1
local G,dn,am,aX,bp,B,c,e,I,S,u,t,bM
local bw,bz,dp,r,ac
local bk,w,Z,H,bZ,P
if bN then
G,dn,aX,bp,S,u,t,bM=unpack(ARGV)
am,aX,bp,S,u=#G+10,aX+0,bp+0,S+0,u+0
t,bM=(t or 1)+0,(bM or 0)+0
local fr=bS("GET",KEYS[1])
L=type(fr)~="table"
bg={L and fr}
else
bk,w,Z,H,bZ,P={h,0},{},{},{},{},{}
end
for a=1,L and at or 0 do
if not bN then
local b=aS[be and be[a]or 1]
G,dn,am,aX,bp=b.definition,b.numbers,b.bytes,b.period,b.capacity_ticks
S,t=O[f],O[f+3]
if S==cf then bM,u,f=O[f+5],O[f+6],f+2+db
else u,f=O[f+2],f+4
end
end
B,c,e,I=bg[a]or"",0,h,1
if B~=""then
local cP,bL,j=#B-am,nil,nil
L=cP>0 and cP<=de*bA and cP%bA==0
if L then
bL,j,e,c,I=Y(dn,B)
L=bL==G and j==bh and e<=h
local q,n=Y("<i6I4",B,I)
while q and q<=h do
c,I,q=c-n,I+bA,nil
if I<#B then q,n=Y("<i6I4",B,I)end
end
end
end
if L then
local U,aH,dB,ai=cd(B,I),e+aX,0,nil
bw,bz,dp,r,ac=nil,0,-2,nil,nil
if S==cf then
local ae=bp-F(1,t)-bM
if c<=ae then
K=K+1
if t>0 then
dB,ai=t,c+t
L=#U<de*bA and ai<16777216 and not aF(U,N("<I7",u),1,true)
end
elseif ae>=0 then
local aq,cz=1,c-ae
while aq<#U do
local q,n=Y("<i6I4",U,aq)
if cz<=0 and q>bw then break end
bw,bz,cz,aq=q,bz+n,cz-n,aq+bA
end
end
else
ai=c
local aq=aF(U,N("<I7",u),1,true)
if aq then
aq=aq-fY
L=aq%bA==1
if L then bw,bz,dp=Y("<i6I4I7",U,aq)end
if L and bz==t then
U=cd(U,1,aq-1)..cd(U,aq+bA)
if S==eV then dB=t else ai=c-t end
end
end
end
if ai then
local y=nil
if dB>0 then
y=aX
r=N("<c0Bi6I3c0i6I4I7",G,bh,h,ai,U,h+aX,dB,u)
elseif ai==0 then
r=""
else
r=N("<c0Bi6I3c0",G,bh,e,ai,U)
if bb>0 then y=aH-h end
end
if y then
ac=bK("%d",(y<as and y or as)+bb)
end
end
end
if not L then break end
if not bN then
local x=#bk
bk[x+1],bk[x+2],H[a],bZ[a]=c,h-e,r,ac
if c>0 then
x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c,0,0
end
x=#Z
Z[x+1]=(bw and 1 or 0)+(c>bz and 1 or 0)
if bw then Z[x+2],Z[x+3],Z[x+4]=bw,bz,dp end
if c>bz then
local cX=#Z
Z[cX+1],Z[cX+2],Z[cX+3]=e+aX,c-bz,bw and-3 or-2
end
if not bg[a]then P[#P+1]=KEYS[a]end
end
end
if P and P[1]and L then
L=#P<=aU and ab("EXISTS",unpack(P))==0
end
if L then
for a=1,at do
if not bN then r,ac=H[a],bZ[a]end
if r and not R then
local aO
if r==""then aO=bS("DEL",KEYS[a])
elseif ac then aO=bS("SET",KEYS[a],r,"PX",ac)
else aO=bS("SET",KEYS[a],r,"KEEPTTL")
end
R=type(aO)=="table"and aO.err
end
end
if R then
local r=type(R)=="table"and R.err or R
K=nil
for l,bI in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aF(r,bI,1,true)then K=-l end
end
local aZ=aF(r,"READONLY ",1,true)
if aZ then return{err=string.sub(r,aZ)}end
if not K then error(R,0)end
end
if bN then
if not bw then return bK("%d,%d,%d,%d",h,K,c,h-e)end
return bK("%d,%d,%d,%d,%d,%d,%d",h,K,c,h-e,bw,bz,dp)
end
bk[cC],bk[#bk+1]=K,#w/dh
for f=1,#w do bk[#bk+1]=w[f]end
for f=1,#Z do bk[#bk+1]=Z[f]end
return bk
elseif bN then
aS={ey(G,dc,bp,aX,1,0,bp,0,dn)}
O=S==cf and{cf,1,1,t,0,bM,u}or{S,1,u,t}
bg=ab("MGET",KEYS[1])
end
elseif not bt or bt.takes_units then
local L,P,o,K,w,R=true,nil,{h,0},0,nil,nil
local H,bZ={},{}
local E,bm,bR,bl,bX,eq,aV
if O then
E,bm,bR,bl,bX,eq,aV={},{},{},{},{},{},{}
end
for a=1,at do
local b,B=aS[be and be[a]or 1],bg[a]
local G,i,c,e,g,s,au=b.definition,b.kind,0,h,0,nil,nil
if B then
local y,bL,j=nil,nil,nil
if#B==b.bytes then bL,j,e,c,au=Y(b.numbers,B)end
if bL==G and j==0 then
g=c
elseif aF(B,G,1,true)==1 then
local f=#G+1
au=nil
local am,j=#B-f,nil
if am>=9 then
j,e,c=Y("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local J=j%4
local br,bq=j%16>=bC,j%32>=bu
if am<9+2*J+(br and 7 or 0)+(bq and 7 or 0)then
f=nil
else
if J>0 then c,f=Y(J==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bh and 0 or c
if br then g,f=Y("<I7",B,f)end
if bq then s,f=Y("<I7",B,f)end
end
end
else
f=nil
end
L=f==#B+1
else
L=false
end
if i>=ag and L then
if i<ag then
y=c==0 and 0 or e-h+ao(c/b.refill_per_ms)
elseif i==ag then
y=c==0 and 0 or e+ao(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
au=y>0 and h+y or nil
end
else
P=P or{}
P[#P+1]=KEYS[a]
if i>=ag then e=h-(h-(aI and aI[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cD then L=false end
if not L then break end
local f=dg+di*(a-1)
o[f+1],o[f+2]=c,h-e
if s or g~=c then
w=w or{}
local x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c-g,s or 0,0
end
if O then
E[a],bm[a],bR[a],bl[a],bX[a],eq[a]=b,c,e,g,s,au
else
local A,av
if i<ag then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A,av=c,b.ticks_per_unit
elseif i==ag then
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
c,e=c-W*b.rate,e+W*b.period
if c<0 then c=0 end
if g>c then g=c end
end
A,av=c,1
else
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
s=W==1 and c>0 and c or nil
c,e,g=0,e+W*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-F(0,h-e))end
av=1
end
if A+b.ticks_per_unit<=b.capacity_ticks then
c,g,K=c+av,g+av,K+1
local G,j,y,az,aM,r,ac=b.definition,0,nil,false,nil,nil,nil
if i<ag then
y=c==0 and 0 or e-h+ao(c/b.refill_per_ms)
elseif i==ag then
y=c==0 and 0 or e+ao(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if bb==0 then az=au and h+y<=au end
if i<ag and c<16777216 and g==c then
if bb==0 and not az then
y=y+ad(y/4)
au=h+y
end
aM=au or h
end
if c<16777216 and g==c and not s then
if aM then r=N("<c0Bi6I3i6",G,j,e,c,aM)
else r=N("<c0Bi6I3",G,j,e,c)
end
else
local aw,w="<c0Bi6I3",""
if c>=1099511627776 then aw,j="<c0Bi6I7",j+2
elseif c>=16777216 then aw,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bh
elseif g~=c then j,w=j+bC,N("<I7",g)
end
if s then j,w=j+bu,w..N("<I7",s)end
r=N(aw,G,j,e,c)..w
end
if not az then
ac=bK("%d",(y<as and y or as)+bb)
end
H[a],bZ[a]=r,ac
end
end
end
if P and L and(#P>aU or ab("EXISTS",unpack(P))>0)then L=false end
if L and O then
local f,x=1,#O
while f<=x do
local I,dm,cv=f,f,true
if O[f]==dl then I,dm=f+2,f+1+O[f+1]end
for aq=I,dm do
local a=O[aq]
local b,c,e,g,s=E[a],bm[a],bR[a],bl[a],bX[a]
local i=b.kind
local A,av
if i<ag then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A,av=c,b.ticks_per_unit
elseif i==ag then
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
c,e=c-W*b.rate,e+W*b.period
if c<0 then c=0 end
if g>c then g=c end
end
A,av=c,1
else
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
s=W==1 and c>0 and c or nil
c,e,g=0,e+W*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-F(0,h-e))end
av=1
end
bm[a],bR[a],bl[a],bX[a]=c,e,g,s
cv=cv and A+b.ticks_per_unit<=b.capacity_ticks
end
for aq=I,cv and dm or 0 do
local a=O[aq]
local b=E[a]
local av=b.kind==ce and 1 or b.ticks_per_unit
bm[a],bl[a],aV[a]=bm[a]+av,bl[a]+av,true
K=K+1
end
f=dm+1
end
for a=1,at do
if aV[a]then
local b,c,e,g,s,au=E[a],bm[a],bR[a],bl[a],bX[a],eq[a]
local i=b.kind
local G,j,y,az,aM,r,ac=b.definition,0,nil,false,nil,nil,nil
if i<ag then
y=c==0 and 0 or e-h+ao(c/b.refill_per_ms)
elseif i==ag then
y=c==0 and 0 or e+ao(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if bb==0 then az=au and h+y<=au end
if i<ag and c<16777216 and g==c then
if bb==0 and not az then
y=y+ad(y/4)
au=h+y
end
aM=au or h
end
if c<16777216 and g==c and not s then
if aM then r=N("<c0Bi6I3i6",G,j,e,c,aM)
else r=N("<c0Bi6I3",G,j,e,c)
end
else
local aw,w="<c0Bi6I3",""
if c>=1099511627776 then aw,j="<c0Bi6I7",j+2
elseif c>=16777216 then aw,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bh
elseif g~=c then j,w=j+bC,N("<I7",g)
end
if s then j,w=j+bu,w..N("<I7",s)end
r=N(aw,G,j,e,c)..w
end
if not az then
ac=bK("%d",(y<as and y or as)+bb)
end
H[a],bZ[a]=r,ac
end
end
end
if L then
for a=1,at do
if H[a]then
local aO
if bZ[a]then aO=bS("PSETEX",KEYS[a],bZ[a],H[a])
else aO=bS("SET",KEYS[a],H[a],"KEEPTTL")
end
R=R or aO.err
end
end
if R then
local r=type(R)=="table"and R.err or R
K=nil
for l,bI in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aF(r,bI,1,true)then K=-l end
end
local aZ=aF(r,"READONLY ",1,true)
if aZ then return{err=string.sub(r,aZ)}end
if not K then error(R,0)end
end
o[cC],o[#o+1]=K,w and#w/dh or 0
for f=1,w and#w or 0 do o[#o+1]=w[f]end
return o
end
elseif bt.lends then
local cV,cd,by=string.rep,string.sub,table.remove
local fW={[dM]=bv,[dK]=ag,[dL]=ce}
local L,P,o,K,w,R=true,nil,{h,0},0,nil,nil
for V,b in ipairs(aS)do
b.base=fW[b.kind]or b.kind
b.unit=b.base==ce and 1 or b.ticks_per_unit
end
local E,bm,bR,bl,bX,dH,aV={},{},{},{},{},{},{}
local dF,dv,cA={},{},{}
local X={}
for a=1,at do
local b,B=aS[be and be[a]or 1],bg[a]
local G,i,c,e,g,s=b.definition,b.base,0,h,0,nil
local k,an,t=nil,0,0
if not B then
P=P or{}
P[#P+1]=KEYS[a]
if i>=ag then e=h-(h-(aI and aI[a]or 0))%b.period end
elseif aF(B,G,1,true)==1 then
local f=#G+1
local am,j=#B-f,nil
if am>=9 then
j,e,c=Y("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local J=j%4
local br,bq=j%16>=bC,j%32>=bu
if am<9+2*J+(br and 7 or 0)+(bq and 7 or 0)then
f=nil
else
if J>0 then c,f=Y(J==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bh and 0 or c
if br then g,f=Y("<I7",B,f)end
if bq then s,f=Y("<I7",B,f)end
end
end
else
f=nil
end
if i==b.kind and i<ag and f==#B-5 then f=#B+1 end
if f then t=(#B+1-f)/eW end
L=f and(t==0 or j<dJ and i~=b.kind and t%1==0 and t<=df)
if L and t>0 then
cA[a]=cd(B,f)
k={Y(cV(dj,t),cA[a])}
k[#k]=nil
for l=2,#k,af do an=an+k[l]end
end
else
L=false
end
if e>h or b.rate==0 or i>=cD then L=false end
if not L then break end
local aq=dg+di*(a-1)
o[aq+1],o[aq+2]=c,h-e
if s or g~=c then
w=w or{}
local x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c-g,s or 0,0
end
if i~=b.kind then
local x=#X+1
X[x]=k and#k/af or 0
for l=1,k and#k or 0 do X[x+l]=k[l]end
end
if k and i==bv then
local ap=an*b.ticks_per_unit
local l,aY=1,F(h,e)
while l<#k and k[l]<=aY do
local q=k[l]
if q>e then
c,e=F(ap,c-(q-e)*b.refill_per_ms),q
end
ap,l=ap-k[l+1]*b.ticks_per_unit,l+af
end
if h>e then c,e=F(ap,c-(h-e)*b.refill_per_ms),h end
g,dH[a]=aa(g,c-ap),c
else
local A,av
if i<ag then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A,av=c,b.ticks_per_unit
elseif i==ag then
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
c,e=c-W*b.rate,e+W*b.period
if c<0 then c=0 end
if g>c then g=c end
end
A,av=c,1
else
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
s=W==1 and c>0 and c or nil
c,e,g=0,e+W*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-F(0,h-e))end
av=1
end
dH[a]=A
end
while k and k[1]and k[1]<=h do
an,cA[a]=an-k[2],nil
for V=1,af do by(k,1)end
end
E[a],bm[a],bR[a],bl[a],bX[a]=b,c,e,g,s
dF[a],dv[a]=k,an
end
if P and L and(#P>aU or ab("EXISTS",unpack(P))>0)then L=false end
if L then
local f,x=1,O and#O or at
while f<=x do
local a,t,ck,u,bT,ai,bW=O and O[f]or f,1,0,0,0,0,0
f=f+1
if a==cp then
a,t,ck,u,bT,ai,bW=unpack(O,f,f+6)
f=f+7
end
local b,k,an=E[a],dF[a],dv[a]
local c,A,g=bm[a],dH[a],bl[a]
local av,cB=b.unit,b.ticks_per_unit
if ai+bW>0 then
k,aV[a]=k or{},true
local bP,cc=0,0
for cY=1,ai+bW do
local eC,n,l=O[f],O[f+1],af
while k[l]and k[l]~=eC do l=l+af end
if k[l]then
local s=k[l-1]
local co=aa(s,n)
local az=cY>ai and 0 or co
k[l-1],an,cc=az,an-s+az,cc+s-co
if cY>ai then bP=bP+co end
for V=1,az==0 and af or 0 do by(k,l-2)end
end
f=f+2
end
c,A,g=c-bP*av,A-bP*cB,g+cc*av
if bP+cc>0 then cA[a]=nil end
end
local ae=ck==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if A+F(1,t)*cB<=ae then
c,A,g=c+t*av,A+t*cB,g+t*av
aV[a],K=true,K+1
if bT>0 and b.share then
local ci=h+b.share
if b.base~=bv then ci=aa(ci,bR[a]+b.period)end
k=k or{}
local n=0
if bT>0 and#k<af*df then
local ej=ad(b.capacity_ticks/b.ticks_per_unit/2)
n=aa(bT,ao(ad((b.capacity_ticks-A)/b.ticks_per_unit)/2),ej-an)
end
if n>0 then
local M,q=n,F(ci,k[#k-2]or ci)
for l=#k,af,-af do
if k[l]==u then
M=M+k[l-1]
for V=1,af do by(k,l-2)end
end
end
local x=#k
k[x+1],k[x+2],k[x+3]=q,M,u
an=an+n
else
n=0
end
if n>0 then cA[a]=nil end
c,A,K=c+n*av,A+n*cB,K+n
end
end
bm[a],dH[a],bl[a],dF[a],dv[a]=c,A,g,k,an
end
for a=1,at do
if aV[a]and not R then
local b,c,e,g,s=E[a],bm[a],bR[a],bl[a],bX[a]
local G,i,j,y,r=b.definition,b.base,0,nil,nil
local k,aM=dF[a],nil
local fv=k and k[1]
if fv and i==bv then
local ap=dv[a]*b.ticks_per_unit
local bO,q=c,e
for l=1,#k,af do
if k[l]>e then
bO=F(ap,bO-(k[l]-q)*b.refill_per_ms)
q,ap=k[l],ap-k[l+1]*b.ticks_per_unit
end
end
y=bO<=0 and 0 or q+ao(bO/b.refill_per_ms)-h
else
if i<ag then
y=c==0 and 0 or e-h+ao(c/b.refill_per_ms)
elseif i==ag then
y=c==0 and 0 or e+ao(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
end
local aO,ac
if y<=0 then
aO=bS("DEL",KEYS[a])
else
if c<16777216 and g==c and not s then
if aM then r=N("<c0Bi6I3i6",G,j,e,c,aM)
else r=N("<c0Bi6I3",G,j,e,c)
end
else
local aw,w="<c0Bi6I3",""
if c>=1099511627776 then aw,j="<c0Bi6I7",j+2
elseif c>=16777216 then aw,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bh
elseif g~=c then j,w=j+bC,N("<I7",g)
end
if s then j,w=j+bu,w..N("<I7",s)end
r=N(aw,G,j,e,c)..w
end
ac=bK("%d",(y<as and y or as)+bb)
if fv then
r=r..(cA[a]or N(cV(dj,#k/af),unpack(k)))
end
aO=bS("PSETEX",KEYS[a],ac,r)
end
if type(aO)=="table"then R=aO.err end
end
end
if R then
local r=type(R)=="table"and R.err or R
K=nil
for l,bI in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aF(r,bI,1,true)then K=-l end
end
local aZ=aF(r,"READONLY ",1,true)
if aZ then return{err=string.sub(r,aZ)}end
if not K then error(R,0)end
end
o[cC],o[#o+1]=K,w and#w/dh or 0
for f=1,w and#w or 0 do o[#o+1]=w[f]end
for f=1,#X do o[#o+1]=X[f]end
return o
end
elseif bt.logs then
local bU,aP,fZ,bD="<i6I7",13,416,9007199254740992
local cd=string.sub
local L,P,o,K,w,Z,R=true,nil,{h,0},0,{},{},nil
local H,eg={},{}
for a=1,at do
local b,B=aS[be and be[a]or 1],bg[a]
local G,c,e,g,s,U,x,T=b.definition,0,h,0,nil,"",h,0
local t=#Z+1
Z[t]=0
if B then
if aF(B,G,1,true)==1 then
local f=#G+1
local am,j=#B-f,nil
if am>=9 then
j,e,c=Y("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local J=j%4
local br,bq=j%16>=bC,j%32>=bu
if am<9+2*J+(br and 7 or 0)+(bq and 7 or 0)then
f=nil
else
if J>0 then c,f=Y(J==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bh and 0 or c
if br then g,f=Y("<I7",B,f)end
if bq then s,f=Y("<I7",B,f)end
end
end
else
f=nil
end
local fo=f and#B+1-f or 0
L=f and j<bu and fo>0 and fo%aP==0
if L then
local I,bc,q,bx=f,h-b.period,nil,nil
x,T=Y(bU,B,#B-aP+1)
local aG=T-c
if aG<0 then aG=aG+bD end
q,bx=Y(bU,B,I)
while q<=bc and I<#B do
aG,I=bx,I+aP
if I<#B then q,bx=Y(bU,B,I)end
end
c=T-aG
if c<0 then c=c+bD end
if g>c then g=c end
U=cd(B,I)
if c>0 then
local n=bx-aG
if n<0 then n=n+bD end
Z[t+1],Z[t+2]=q,n
if n<c then Z[t+3],Z[t+4]=x,c-n end
Z[t]=(t-#Z)/2
elseif U~=""then
L=false
end
end
else
L=false
end
else
P=P or{}
P[#P+1]=KEYS[a]
end
local ft=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or ft and#U>fZ-aP then L=false end
if not L then break end
local f=dg+di*(a-1)
o[f+1],o[f+2]=c,h-e
if g~=c then
local f=#w
w[f+1],w[f+2],w[f+3],w[f+4]=a,c-g,0,0
end
if ft then
local j,aM,y,ac,r=0,nil,b.period,nil,nil
if U==""then T=1
else
T=T>=bD-1 and T-(bD-1)or T+1
if x==h then U=cd(U,1,-aP-1)end
end
c,g,e,K=c+1,g+1,h,K+1
if c<16777216 and g==c and not s then
if aM then r=N("<c0Bi6I3i6",G,j,e,c,aM)
else r=N("<c0Bi6I3",G,j,e,c)
end
else
local aw,w="<c0Bi6I3",""
if c>=1099511627776 then aw,j="<c0Bi6I7",j+2
elseif c>=16777216 then aw,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bh
elseif g~=c then j,w=j+bC,N("<I7",g)
end
if s then j,w=j+bu,w..N("<I7",s)end
r=N(aw,G,j,e,c)..w
end
H[a]=r..U..N(bU,h,T)
if not eg[b]then
ac=bK("%d",(y<as and y or as)+bb)
eg[b]=ac
end
end
end
if P and L and(#P>aU or ab("EXISTS",unpack(P))>0)then L=false end
if L then
for a=1,at do
if H[a]then
local aO=bS("PSETEX",KEYS[a],eg[aS[be and be[a]or 1]],H[a])
R=R or aO.err
end
end
if R then
local r=type(R)=="table"and R.err or R
K=nil
for l,bI in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aF(r,bI,1,true)then K=-l end
end
local aZ=aF(r,"READONLY ",1,true)
if aZ then return{err=string.sub(r,aZ)}end
if not K then error(R,0)end
end
o[cC],o[#o+1]=K,#w/dh
for f=1,#w do o[#o+1]=w[f]end
for f=1,#Z do o[#o+1]=Z[f]end
return o
end
end
local E,c,e,g={},{},{},{}
local al,ar,z,ax,aT,bd={},{},{},{},{},{}
local dG,cH,cL,ek={},{},{},{}
local aJ,aV={},{}
local bQ,eh={},{}
local cy,cs,fn,fV,ea,fL,fE
local cQ,cR
local function cb(a)
aJ[a],c[a],e[a],g[a],bd[a]=true,-1,h,0,nil
end
local function gp(a,j,f)
local B=bg[a]
if dU(j,dJ)~=0 then ar[a],f=Y(eN,B,f)end
if dU(j,eP)~=0 then dG[a],f=Y(eT,B,f)end
if dU(j,eO)~=0 then
cH[a]={Y(da,B,f)}
f=cH[a][4]
end
cL[a]=string.sub(B,f)
end
local bG,bE,bF=c,e,g
local function fk(a,cP)
local B,f,c,e,g,s=bg[a],cP+1,nil,nil,nil,nil
local am,j=#B-f,nil
if am>=9 then
j,e,c=Y("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local J=j%4
local br,bq=j%16>=bC,j%32>=bu
if am<9+2*J+(br and 7 or 0)+(bq and 7 or 0)then
f=nil
else
if J>0 then c,f=Y(J==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bh and 0 or c
if br then g,f=Y("<I7",B,f)end
if bq then s,f=Y("<I7",B,f)end
end
end
else
f=nil
end
if not f then return false end
bG[a],bE[a],bF[a],al[a]=c,e,g,s
return f>#B or pcall(gp,a,j,f)
end
local P,aC,aR={},nil,{}
if O and O[1]==eU then aC={}end
for V,b in ipairs(aS)do aR[b.kind]=true end
for a=1,at do
local b,B=aS[be and be[a]or 1],bg[a]
E[a]=b
if not B then
P[#P+1]=a
else
local gF=aF(B,b.definition,1,true)==1 and fk(a,#b.definition)
if not gF or dG[a]or e[a]>h then
aC=aC or{}
aC[#aC+1]=a
end
end
end
local bV,fU
if O then
bV={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-13]=5,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fU(f)
local S,eZ=O[f],O[f+1]
if S>0 then return 1 end
if S==cp then return 1+bV[cp]+2*(O[f+6]+O[f+7])end
local gE=S==cf or S==dN
return 1+bV[S]+(gE and db*eZ or S==dl and eZ or 0)
end
end
local aK={}
local function cE(a,i,bH)
c[a]=c[a]+bH
if i.record and bH~=0 then i.record(a,bH)end
end
local function gl(a,b,t)
local i,fQ=b.algorithm,t*b.counts_per_unit
i.advance(a,b)
cE(a,i,fQ)
g[a]=g[a]+fQ
end
local function hg(a,b,fI,gW)
local i,ef=b.algorithm,gW-fI
i.advance(a,b)
local ae=(i.most_counts and i.most_counts(b)or as)-c[a]-(al[a]or 0)
local gK=i.queues and 0 or-g[a]
cE(a,i,F(gK,aa(ef*b.counts_per_unit,F(0,ae))))
g[a]=aa(F(0,g[a]-fI*b.counts_per_unit),c[a])
if ef>0 and ax[a]then cy(a,b,ef,bB)end
end
local function gj(a,b,A,cU,f)
local i,fR=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],al[a]=0,i.is_aligned and f-(f-(aI and aI[a]or 0))%b.period or f,nil
cE(a,i,ao(A/fR))
g[a]=ad(cU/fR)
end
local function gH(a,b,v)
local i=b.algorithm
if not i.has_history or b.period~=v.period then return false end
local function fN(G)return string.match(G,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return fN(b.definition)==fN(v.definition)and i.used(a,b)<=b.capacity_ticks
end
local function bf(i)
i.charge,i.settle,i.begin,i.keep=gl,hg,gj,gH
return i
end
local function fa(b)
b.algorithm=aK[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local es=aR[dM]or aR[dK]or aR[dL]
if es then aR[bv],aR[ag],aR[ce]=true,true,true end
if aC or aR[bv]then
local aE={is_reservable=true}
local function ei(aD,m)
while m~=0 do aD,m=m,aD%m end
return aD
end
function aE.define(b)
local cZ=ei(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cZ,b.rate/cZ
end
function aE.used(a,b)
local c,e,g=c[a],e[a],0
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bG,bE,bF=c,e,g
function aE.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bG[a],bE[a],bF[a]=c,e,g
end
function aE.reset_after(a,b)
local c,e,g,y=c[a],e[a],0,nil
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y=c==0 and 0 or e-h+ao(c/b.refill_per_ms)
return y
end
aK[bv]=bf(aE)
end
if aC or aR[ag]then
local aN={is_aligned=true,is_reservable=true}
function aN.used(a,b)
local c,e,g=c[a],e[a],0
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
c,e=c-W*b.rate,e+W*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bG,bE,bF=c,e,g
function aN.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
c,e=c-W*b.rate,e+W*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bG[a],bE[a],bF[a]=c,e,g
end
function aN.reset_after(a,b)
local c,e,g,y=c[a],e[a],0,nil
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
c,e=c-W*b.rate,e+W*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y=c==0 and 0 or e+ao(c/b.rate)*b.period-h
return y
end
function aN.most_counts(b)
return b.rate==0 and as or aa(as,ad(as/b.period)*b.rate)
end
aK[ag]=bf(aN)
end
if aC or aR[ce]then
local aN={is_aligned=true,has_history=true,counts_units=true}
function aN.define(b)
b.ticks_per_unit=b.period
end
function aN.used(a,b)
local c,e,g,s,A=c[a],e[a],0,al[a],nil
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
s=W==1 and c>0 and c or nil
c,e,g=0,e+W*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-F(0,h-e))end
return A
end
local bG,bE,bF=c,e,g
function aN.advance(a,b)
local c,e,g,s=c[a],e[a],g[a],al[a]
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
s=W==1 and c>0 and c or nil
c,e,g=0,e+W*b.period,0
end
bG[a],bE[a],bF[a],al[a]=c,e,g,s
end
function aN.reset_after(a,b)
local c,e,g,s,y=c[a],e[a],0,al[a],nil
local C=h-e
if C>=b.period then
local W=ad(C/b.period)
s=W==1 and c>0 and c or nil
c,e,g=0,e+W*b.period,0
end
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
return y
end
function aN.most_counts(b)
return ad(as/b.period)
end
aK[ce]=bf(aN)
end
if aC or aR[cD]then
function cQ(a,b)
return(string.gsub(KEYS[ek[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cJ(aQ,ah)
local H=redis.pcall(aQ,ah,0,0)
if not H.err then return H end
if not aF(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cR(ah,aQ,am)
local H=cJ(aQ,ah)
if not H then return false end
if H[1]and#H[1]~=am then return false end
if H[1]then ab("UNLINK",ah)end
return true
end
local function eo(a,d,aQ,am)
local H=cJ(aQ,d.key)
if not H or H[1]and#H[1]~=am then return cb(a)end
return H[1]~=nil
end
local function ct(aQ,ah,cg)
for I=1,#cg,aU do
ab(aQ,ah,unpack(cg,I,aa(I+aU-1,#cg)))
end
end
local function aY(a)
return F(e[a],h)
end
local function eH(eE)
local ba={}
for ah in pairs(eE)do ba[#ba+1]=ah end
table.sort(ba)
return ba
end
local bU,aP,bD="<i6I7",13,9007199254740992
local bo=32
local cq=bo*aP
local dP=1024
local aB={has_history=true,keeps_list=true}
local function gR(T,n)
return T>=bD-n and T-(bD-n)or T+n
end
local function cj(T,ee)
return T<ee and T-ee+bD or T-ee
end
local function fF(d,ex)
local r=d.read[ex]
if not r then
r=ab("LINDEX",d.key,ex-1)
d.read[ex]=r
end
return r
end
local function bY(d,ak)
local r,ev=d.tail,(ak-d.pages*bo-1)*aP
if ev<0 then r,ev=fF(d,ao(ak/bo)),(ak-1)%bo*aP end
local q,T=Y(bU,r,ev+1)
return q-d.shift,T
end
local function cm(d,ak)
if ak==d.head then return d.base end
local V,T=bY(d,ak)
return T
end
local function fz(d,q)
local aL,aW=d.head,d.length
if aL==aW or bY(d,aL+1)>q then return aL end
while aL<aW do
local bs=ao((aL+aW)/2)
if bY(d,bs)<=q then aL=bs else aW=bs-1 end
end
return aL
end
local function fy(d,n)
local aL,aW=d.head,d.length
while aL<aW do
local bs=ao((aL+aW)/2)
if cj(d.sum,cm(d,bs))>=n then aL=bs else aW=bs-1 end
end
return aL
end
local function eF(d,U)
d.tail,d.length=U,d.pages*bo+#U/aP
d.sum=d.length>d.head and select(2,bY(d,d.length))or d.base
end
local function eX(d,q,T)
d.tail=d.tail..N(bU,q+d.shift,T)
d.length,d.sum=d.length+1,T
end
function aB.open(a,b)
local ah=cQ(a,b)
local em=z[a]and z[a].key==ah and z[a].is_apart
z[a]={
key=ah,is_apart=em,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return z[a]
end
function aB.load(a,b)
local d,aA,U=aB.open(a,b),cH[a],cL[a]or""
if#U%aP~=0 then return cb(a)end
if aA then
d.pages,d.head,d.shift=aA[1],aA[2],aA[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not eo(a,d,"LRANGE",cq)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
U=N(bU,e[a]+d.shift,c[a])
end
eF(d,U)
d.base=cj(d.sum,c[a])
end
local function dt(a,b)
local d,bc=z[a],aY(a)-b.period
if d.over~=bc then d.over,d.last_over=bc,fz(d,bc)end
return d.last_over
end
function aB.used(a,b)
local d=z[a]
return cj(d.sum,cm(d,dt(a,b)))
end
function aB.advance(a,b)
local d,bc=z[a],dt(a,b)
d.base=cm(d,bc)
d.head=bc
c[a]=cj(d.sum,d.base)
g[a]=aa(g[a],c[a])
end
function aB.reset_after(a,b)
local d=z[a]
if d.length==d.head then return 0 end
return F(0,bY(d,d.length)+b.period-h)
end
local function gS(a,n)
local d,q=z[a],aY(a)
local T=gR(d.sum,n)
if d.length==d.head then d.base,T=0,n end
if d.length>d.head and bY(d,d.length)==q then
d.tail,d.length=string.sub(d.tail,1,-aP-1),d.length-1
end
eX(d,q,T)
e[a]=q
end
local function hp(d,ak)
if ak<=d.pages*bo then
local eL=F(0,ao(ak/bo)-1)
local U=ak>0 and string.sub(fF(d,eL+1),1,(ak-eL*bo)*aP)or""
d.pages=eL
return eF(d,U)
end
eF(d,string.sub(d.tail,1,(ak-d.pages*bo)*aP))
end
local function hn(a,n)
local d=z[a]
local x,T=fy(d,n),cj(d.sum,n)
d.cuts[x],d.cuts[x+1]=true,true
local q=x<d.length and T~=cm(d,x)and bY(d,x+1)
hp(d,x)
if q then eX(d,q,T)end
end
function aB.record(a,bH)
if bH>0 then gS(a,bH)else hn(a,-bH)end
end
function aB.note(a,b,ae)
local d=z[a]
if ar[a]and ar[a]>h then d.cuts[fz(d,F(e[a],ar[a])-b.period)]=true end
if ae>=0 and aB.used(a,b)>ae then d.cuts[fy(d,ae+1)+1]=true end
end
function aB.note_each(a,b,n)
local d,ak=z[a],dt(a,b)
local s,ae=cm(d,ak),aB.used(a,b)+n-b.capacity_ticks
while ak<d.length and cj(cm(d,ak),s)<ae do
ak=ak+1
d.cuts[ak]=true
end
bQ[a].is_whole=ak==d.length
if not bQ[a].is_whole then aB.note(a,b,-1)end
end
function aB.see(a,b)
local d,bc=z[a],dt(a,b)
bQ[a]={
key=d.key,pages=d.pages,head=bc,base=cm(d,bc),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function aB.show(a,o)
local X,t=bQ[a],#o+1
local T,Z=X.base,0
if X.length>X.head then X.cuts[X.head+1],X.cuts[X.length]=true,true end
o[t]=0
for V,ak in ipairs(eH(X.cuts))do
if ak>X.head and ak<=X.length then
local q,bx=bY(X,ak)
o[#o+1],o[#o+2]=q,cj(bx,T)
T,Z=bx,Z+1
end
end
o[t]=X.is_whole and Z or-Z
end
function aB.divide(a)
local d=z[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=aa(ad(d.head/bo),d.pages,dP)
d.kept=d.pages-d.dropped
local bL,U,dA=d.head-d.dropped*bo,d.tail,{}
if d.kept==0 then bL,U=0,string.sub(U,bL*aP+1)end
local en=nil
while#U>cq do
if en==nil then en=d.is_apart or cR(d.key,"LRANGE",cq)end
if not en then break end
dA[#dA+1],U=string.sub(U,1,cq),string.sub(U,cq+1)
end
d.pushed=dA
local fG=d.kept+#dA
return(fG>0 or d.shift~=0)and N(da,fG,bL,d.shift)or"",U
end
function aB.write(a,ac)
local d=z[a]
if d.is_apart and d.kept==0 then ab("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
ab("LTRIM",d.key,d.dropped,d.pages-1)
end
ct("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then ab("PEXPIRE",d.key,ac)end
end
function aB.rewind(a,aj)
z[a].shift,z[a].over=z[a].shift+aj,nil
end
aK[cD]=bf(aB)
local hf=aB.keep
function aB.keep(a,b,v)
if not hf(a,b,v)then return false end
ea(a,b,"LRANGE",cq)
return true
end
end
if aC or aR[eQ]then
local aE={is_reservable=true}
local function ei(aD,m)
while m~=0 do aD,m=m,aD%m end
return aD
end
function aE.define(b)
local cZ=ei(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cZ,b.rate/cZ
end
function aE.used(a,b)
local c,e,g=c[a],e[a],0
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bG,bE,bF=c,e,g
function aE.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bG[a],bE[a],bF[a]=c,e,g
end
function aE.reset_after(a,b)
local c,e,g,y=c[a],e[a],0,nil
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y=c==0 and 0 or e-h+ao(c/b.refill_per_ms)
return y
end
aE.queues=true
aK[eQ]=bf(aE)
end
if aC or aR[dc]then
function cQ(a,b)
return(string.gsub(KEYS[ek[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cJ(aQ,ah)
local H=redis.pcall(aQ,ah,0,0)
if not H.err then return H end
if not aF(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cR(ah,aQ,am)
local H=cJ(aQ,ah)
if not H then return false end
if H[1]and#H[1]~=am then return false end
if H[1]then ab("UNLINK",ah)end
return true
end
local function eo(a,d,aQ,am)
local H=cJ(aQ,d.key)
if not H or H[1]and#H[1]~=am then return cb(a)end
return H[1]~=nil
end
local function ct(aQ,ah,cg)
for I=1,#cg,aU do
ab(aQ,ah,unpack(cg,I,aa(I+aU-1,#cg)))
end
end
local function aY(a)
return F(e[a],h)
end
local function eH(eE)
local ba={}
for ah in pairs(eE)do ba[#ba+1]=ah end
table.sort(ba)
return ba
end
local dd,dO,dk="<I7B",8,35184372088832
local dP=128
local function cl(J,q)
return bK("%.0f",(J-1)*dk+q)
end
local function ed(n,eK)
local J=1
while n>0 do
if n%2==1 then eK(J)end
n,J=ad(n/2),J+1
end
end
local function gm(d,q)
local n,gi=0,F(0,d.floor+d.shift+1)
for J=1,d.sizes do
local bi=ab("ZCOUNT",d.key,cl(J,gi),cl(J,q+d.shift))
n=n+2^(J-1)*bi
end
return n
end
local function gV(d,u)
local bi={}
for J=1,d.sizes do bi[J]=N(dd,u,J)end
local p={units=0,id=u}
for J,r in ipairs(#bi>0 and ab("ZMSCORE",d.key,unpack(bi))or{})do
if r then
p.units=p.units+2^(J-1)
p.instant=tonumber(r)-(J-1)*dk-d.shift
end
end
return p.units>0 and p or nil
end
local function hh(d,aH)
for J=1,d.sizes do
local I,x,bj=cl(J,aH+d.shift),cl(J+1,-1),{}
for V,gN in ipairs(ab("ZRANGEBYSCORE",d.key,"("..I,x))do
bj[#bj+1],bj[#bj+2]=I,gN
end
ct("ZADD",d.key,bj)
end
end
local function gU(d)
local dX,M,H={},{},ab("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#H,2 do
local u,J=Y(dd,H[f])
local p=dX[u]or{units=0,id=u}
p.instant=tonumber(H[f+1])-(J-1)*dk-d.shift
p.units=p.units+2^(J-1)
if not dX[u]then dX[u],M[#M+1]=p,p end
end
return M
end
local function ht(d,gY,cF)
local bi,bj={},{}
for u,p in pairs(gY)do
ed(p.units,function(J)bi[#bi+1]=N(dd,u,J)end)
end
for V,p in pairs(cF)do
ed(p.units,function(J)
bj[#bj+1],bj[#bj+2]=cl(J,p.instant+d.shift),N(dd,p.id,J)
end)
end
ct("ZREM",d.key,bi)
ct("ZADD",d.key,bj)
return#bj/2
end
local function gu(d,cF)
local ai=dP+cF
for J=1,d.sizes do
local I,x=cl(J,0),cl(J,F(-1,d.floor+d.shift))
local bi=ai>0 and ab("ZRANGEBYSCORE",d.key,I,x,"LIMIT",0,ai)or{}
ct("ZREM",d.key,bi)
ai=ai-#bi
end
end
local eR,bA="<i6I4I7",17
local gb=-dk
local de=16
local Q={holds_leases=true,keeps_list=true}
function Q.open(a,b)
local ah=cQ(a,b)
local em=z[a]and z[a].key==ah and z[a].is_apart
z[a]={
key=ah,is_apart=em,shift=0,cuts={},kept={},sizes=0,floor=gb,
found={},removed={},added={},
}
return z[a]
end
function Q.load(a,b)
local d,aA,r=Q.open(a,b),cH[a],cL[a]or""
if#r%bA~=0 then return cb(a)end
local f=1
while f<=#r do
local p={}
p.instant,p.units,p.id,f=Y(eR,r,f)
d.kept[#d.kept+1]=p
end
if not aA then return end
d.sizes,d.floor,d.shift=aA[1],aA[2],aA[3]
d.is_apart,d.kept=true,nil
if eo(a,d,"ZRANGE",dO)or aJ[a]then return end
Q.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bB}
end
local function fi(d,q)
if q<=d.floor then return 0 end
if not d.kept then return gm(d,q)end
local n=0
for V,p in ipairs(d.kept)do
if p.instant>q then break end
if p.instant>d.floor then n=n+p.units end
end
return n
end
local function eb(M,d,q)
local n=0
for V,p in pairs(M)do
if p.instant>d.floor and p.instant<=q then n=n+p.units end
end
return n
end
local function fj(d,q)
return fi(d,q)-eb(d.removed,d,q)+eb(d.added,d,q)
end
local function gn(a)
local d,q=z[a],aY(a)
if q<=d.floor then return 0 end
if d.over~=q then d.over,d.units_over=q,fj(d,q)end
return d.units_over
end
function Q.used(a)
return c[a]-gn(a)
end
function Q.advance(a)
c[a]=Q.used(a)
z[a].floor=F(z[a].floor,aY(a))
end
local function gx(d,u)
for V,p in ipairs(d.kept)do
if p.id==u then return p end
end
end
local function gy(d,u)
if d.found[u]==nil then
d.found[u]=(d.kept and gx or gV)(d,u)or false
end
return d.found[u]or nil
end
local function fq(d,u)
local p=d.added[u]or not d.removed[u]and gy(d,u)or nil
return p and p.instant>d.floor and p or nil
end
local function by(d,u)
local p=fq(d,u)
if not p then return 0 end
if d.added[u]then d.added[u]=nil else d.removed[u]=p end
return p.units
end
local function cE(a,u,n,q)
local d=z[a]
local s=by(d,u)
d.added[u]={instant=q,units=s+n,id=u}
end
function Q.charge(a,b,n,u)
Q.advance(a)
e[a]=aY(a)
cE(a,u,n,e[a]+b.period)
c[a]=c[a]+n
end
Q.settle=Q.advance
function Q.reset_after(a,b)
return Q.used(a)==0 and 0 or e[a]+b.period-h
end
function Q.begin(a,b,A,V,f)
Q.open(a,b)
c[a],e[a],al[a],g[a]=0,f,nil,0
if A>0 then Q.charge(a,b,A,bB)end
end
local function fb(au,aj,aH)
local M={}
for l,p in ipairs(au)do
M[l]={instant=aa(p.instant-aj,aH),units=p.units,id=p.id}
end
return M
end
function Q.keep(a,b,v)
ea(a,b,"ZRANGE",dO)
Q.advance(a)
local d,aH=z[a],aY(a)+b.period
if d.kept then d.kept=fb(d.kept,0,aH)
elseif b.period<v.period and not aJ[a]then hh(d,aH)
end
e[a]=aY(a)
return true
end
local function fD(M,aj)
local fC={}
for u,p in pairs(M)do fC[u]={instant=p.instant-aj,units=p.units,id=u}end
return fC
end
function Q.rewind(a,aj)
local d=z[a]
d.floor,d.over,d.found=d.floor-aj,nil,{}
d.added,d.removed=fD(d.added,aj),fD(d.removed,aj)
if d.kept then d.kept=fb(d.kept,aj,math.huge)else d.shift=d.shift+aj end
end
local function eA(a,u,t)
Q.advance(a)
local d=z[a]
local p=fq(d,u)
if not p or p.units~=t then return false end
c[a]=c[a]-by(d,u)
return true
end
local function fH(a,b,u,t)
local cM=eA(a,u,t)
if cM then Q.charge(a,b,t,u)end
return cM
end
local function fm(a,eK)
for V,m in ipairs(ax[a]or{})do
if E[m].algorithm==Q then eK(m,E[m])end
end
end
function Q.release(a,V,u,t)
fm(a,function(m)eA(m,u,t)end)
eA(a,u,t)
end
function Q.renew(a,b,u,t)
if not fH(a,b,u,t)then return end
fm(a,function(m,fx)
if not fH(m,fx,u,t)then Q.charge(m,fx,t,u)end
end)
end
local function gw(a,b,n)
local d,aL,aW=z[a],aY(a),e[a]+b.period
for V,p in ipairs(d.kept or{})do
local cM=p.instant>d.floor and not d.removed[p.id]
if cM then n=n-p.units end
if cM and n<=0 then return p.instant end
end
if d.kept then return aW end
while aL+1<aW do
local bs=ad((aL+aW)/2)
if fj(d,bs)>=n then aW=bs else aL=bs end
end
return aW
end
function Q.note(a,b,ae)
local d=z[a]
if ar[a]and ar[a]>h then d.cuts[F(e[a],ar[a])]=true end
if ae>=0 and Q.used(a)>ae then d.cuts[gw(a,b,c[a]-ae)]=true end
end
function Q.note_each(a)
bQ[a].is_whole=true
end
function Q.see(a,b)
local d=z[a]
bQ[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=F(d.floor,aY(a)),
used=Q.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function gP(X)
local fM,M=X.found,{}
if X.is_whole then fM=X.kept or gU(X)end
for V,p in pairs(fM)do
if p and p.instant>X.floor then M[#M+1]=p end
end
table.sort(M,function(aD,m)return aD.instant<m.instant end)
return M
end
function Q.show(a,o)
local X,t,Z,T,cT=bQ[a],#o+1,0,0,1
local er=gP(X)
local function fK(q,n,u)
o[#o+1],o[#o+2],o[#o+3]=q,n,u
Z=Z+1
end
o[t],X.cuts[X.latest]=0,true
for V,cu in ipairs(eH(X.cuts))do
if cu>X.floor and cu<=X.latest then
local bx=cu==X.latest and X.used or fi(X,cu)
local D=bx-T
while er[cT]and er[cT].instant<=cu do
local p=er[cT]
fK(p.instant,p.units,p.id)
D,cT=D-p.units,cT+1
end
if D>0 then fK(cu,D,-2-Z)end
T=bx
end
end
o[t]=Z
end
local function ap(d)
local M={}
for V,p in ipairs(d.kept)do
if p.instant>d.floor and not d.removed[p.id]then M[#M+1]=p end
end
for V,p in pairs(d.added)do M[#M+1]=p end
return M
end
function Q.divide(a)
local d,H=z[a],{}
if not d.kept and c[a]==eb(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local M=ap(d)
if#M<=de or not(d.is_apart or cR(d.key,"ZRANGE",dO))then
for l,p in ipairs(M)do H[l]=N(eR,p.instant,p.units,p.id)end
return"",table.concat(H)
end
d.moved=M
end
for V,p in pairs(d.moved or d.added)do
ed(p.units,function(J)d.sizes=F(d.sizes,J)end)
end
return N(da,d.sizes,d.floor,d.shift),""
end
function Q.write(a,ac)
local d=z[a]
if d.kept and d.is_apart then ab("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cF=ht(d,d.removed,d.moved or d.added)
if not d.kept then gu(d,cF)end
ab("PEXPIRE",d.key,ac)
end
aK[dc]=Q
end
if aC or es then
local cV,by=string.rep,table.remove
local hr,hj=c,e
local function dz(a)
return F(e[a],h)
end
local function dy(a,aj)
local k={unpack(z[a].shares)}
for l=1,#k,af do k[l]=k[l]-aj end
z[a]={shares=k}
return k
end
local function fl(a)
local k,q=z[a].shares,dz(a)
if not k[1]or k[1]>q then return end
k=dy(a,0)
while k[1]and k[1]<=q do
for V=1,af do by(k,1)end
end
end
local function dI(a,q)
local k,n=z[a].shares,0
for l=1,#k,af do
if k[l]>q then n=n+k[l+1]end
end
return n
end
local function cU(a)
z[a]={shares={}}
end
local function gM(a)
local r=cL[a]or""
local t=#r/eW
if t%1~=0 or t>df then return cb(a)end
local k={Y(cV(dj,t),r)}
k[#k]=nil
z[a]={shares=k}
end
local function gs(a)
local k=z[a].shares
return"",N(cV(dj,#k/af),unpack(k))
end
local function he(a)
bQ[a]=z[a].shares
end
local function eG(a,o)
local k,f=bQ[a],#o+1
o[f]=#k/af
for l=1,#k do o[f+l]=k[l]end
end
local function gz(a,b)
if dI(a,dz(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],al[a],g[a]=dI(a,0)*b.counts_per_unit,nil,0
return true
end
local function eB(a,b,f,ai,bW)
b.algorithm.advance(a,b)
local k,an=dy(a,0),0
local bP,cc=0,0
for cY=1,ai+bW do
local eC,n,l=O[f],O[f+1],af
while k[l]and k[l]~=eC do l=l+af end
if k[l]then
local s=k[l-1]
local co=aa(s,n)
local az=cY>ai and 0 or co
k[l-1],an,cc=az,an-s+az,cc+s-co
if cY>ai then bP=bP+co end
for V=1,az==0 and af or 0 do by(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bP*b.counts_per_unit
g[a]=g[a]+cc*b.counts_per_unit
end
local function gL(a,b,u,bT)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,an,A=dy(a,0),dI(a,0),i.used(a,b)
local ci=i.lent_until(a,b)
local n=0
if bT>0 and#k<af*df then
local ej=ad(b.capacity_ticks/b.ticks_per_unit/2)
n=aa(bT,ao(ad((b.capacity_ticks-A)/b.ticks_per_unit)/2),ej-an)
end
if n>0 then
local M,q=n,F(ci,k[#k-2]or ci)
for l=#k,af,-af do
if k[l]==u then
M=M+k[l-1]
for V=1,af do by(k,l-2)end
end
end
local x=#k
k[x+1],k[x+2],k[x+3]=q,M,u
an=an+n
else
n=0
end
c[a]=c[a]+n*b.counts_per_unit
return n
end
local function et(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cU,gM,gs,he,eG,dy
i.forget,i.report,i.lend=gz,eB,gL
return bf(i)
end
local aE={base=aK[bv],is_reservable=true,define=aK[bv].define}
local function dW(a,b)
local c,e,k=hr[a],hj[a],z[a].shares
local ap=dI(a,0)*b.ticks_per_unit
local l,aY=1,F(h,e)
while l<#k and k[l]<=aY do
local q=k[l]
if q>e then
c,e=F(ap,c-(q-e)*b.refill_per_ms),q
end
ap,l=ap-k[l+1]*b.ticks_per_unit,l+af
end
if h>e then c,e=F(ap,c-(h-e)*b.refill_per_ms),h end
return c,e,ap
end
function aE.used(a,b)
return(dW(a,b))
end
function aE.advance(a,b)
local ap
c[a],e[a],ap=dW(a,b)
g[a]=aa(g[a],c[a]-ap)
fl(a)
end
function aE.reset_after(a,b)
local k,y=z[a].shares,nil
local c,e,ap=dW(a,b)
local bO,q=c,e
for l=1,#k,af do
if k[l]>e then
bO=F(ap,bO-(k[l]-q)*b.refill_per_ms)
q,ap=k[l],ap-k[l+1]*b.ticks_per_unit
end
end
y=bO<=0 and 0 or q+ao(bO/b.refill_per_ms)-h
return y
end
function aE.lent_until(a,b)
return dz(a)+b.share
end
local function fA(aN)
local i=setmetatable({base=aN},{__index=aN})
function i.advance(a,b)
aN.advance(a,b)
fl(a)
end
function i.lent_until(a,b)
return aa(dz(a)+b.share,e[a]+b.period)
end
return i
end
aK[dM]=et(aE)
aK[dK]=et(fA(aK[ag]))
aK[dL]=et(fA(aK[ce]))
end
for V,b in ipairs(aS)do fa(b)end
local ep=aC or aR[cD]or aR[dc]or es
for I=1,#P,aU do
local x,ba=aa(I+aU-1,#P),{}
for l=I,x do ba[#ba+1]=KEYS[P[l]]end
if ab("EXISTS",unpack(ba))>0 then
for l=I,x do
if ab("EXISTS",KEYS[P[l]])==1 then cb(P[l])end
end
end
end
for V,a in ipairs(P)do
if not aJ[a]then E[a].algorithm.begin(a,E[a],0,0,h)end
end
if aC then
local ga=7
local function ez(G)
local eM={}
for hs in string.gmatch(G or"","[^,\\n]+")do eM[#eM+1]=tonumber(hs,36)or false end
local i,bf,aX,bp,cI,hk=unpack(eM)
local cr=aK[i]
if not(cr and bf and aX)then return nil end
bp=bp or bf
local b=ey(G,i,bf,aX,1,0,0,0)
b.max_reserved,b.start=cI or nil,hk or nil
if cr.define then cr.define(b)end
b.capacity_ticks=bp*b.ticks_per_unit
if cr.is_reservable and bf>0 then
local ae=(cr.most_counts and cr.most_counts(b)or as)-b.capacity_ticks
b.debt_ticks=cI and aa(cI*b.ticks_per_unit,ae)or ae
end
fa(b)
return b
end
local du=at
local function dw(a)
du=du+1
ek[du]=a
return du
end
local function gr(a,r)
local M=cmsgpack.unpack(r)
if type(M[1])=="number"then bd[a]=table.remove(M,1)end
ax[a]=#M>0 and{}or nil
for l,hl in ipairs(M)do
local m,G,aA=dw(a),nil,nil
G,c[m],e[m],g[m],al[m],aT[m],aA,cL[m]=
unpack(hl)
if al[m]==0 then al[m]=nil end
local b=assert(ez(G))
E[m],ax[a][l]=b,m
if aA~=""then cH[m]={Y(da,aA)}end
if b.algorithm.load then b.algorithm.load(m,b)end
assert(not aJ[m])
end
end
function fn(a)
local M,aH={bd[a]},F(h,bd[a]or 0)
for V,m in ipairs(ax[a]or{})do
local b,aA,cK=E[m],"",""
aH=F(aH,aT[m])
if b.algorithm.divide then aA,cK=b.algorithm.divide(m)end
M[#M+1]={
b.definition,c[m],e[m],g[m],al[m]or 0,aT[m],aA,cK,
}
end
return cmsgpack.pack(M),aH-h
end
function fV(a,ac)
for V,m in ipairs(ax[a]or{})do
local i=E[m].algorithm
if i.write then i.write(m,ac)end
end
end
local function gq(a)
local v=ez(string.match(bg[a],"^[^\\n]*\\n"))
if not v or not fk(a,#v.definition)then return nil end
if dG[a]and not pcall(gr,a,dG[a])then return nil end
return v
end
local function dZ(A,v,b)
if v.ticks_per_unit==b.ticks_per_unit then return A end
local n=ad(A/v.ticks_per_unit)
local cX=(A-n*v.ticks_per_unit)/v.ticks_per_unit
return n*b.ticks_per_unit+aa(b.ticks_per_unit,ao(cX*b.ticks_per_unit))
end
local function fB(A,v,b)
return b.capacity_ticks+aa(dZ(F(0,A-v.capacity_ticks),v,b),b.debt_ticks)
end
local function eD(aD,m)
return(aD.base or aD)==(m.base or m)
end
local function gO(a,b,v)
local dx,cS=v.algorithm,b.algorithm
if eD(dx,cS)and cS.keep(a,b,v)then
if dx.base or cS.base then z[a]=cS.base and{shares={}}or nil end
return
end
dx.advance(a,v)
local A=dx.used(a,v)
local au=aa(dZ(A,v,b),fB(A,v,b))
local cU=aa(au,dZ(g[a]*v.ticks_per_unit/v.counts_per_unit,v,b))
z[a]=nil
cS.begin(a,b,au,cU,F(h,e[a]))
end
local function eu(b)
if b.rate==0 then return 2*b.period end
return b.period*F(2,ao(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function fg(aD,m)
c[m],e[m],g[m],al[m]=c[aD],e[aD],g[aD],al[aD]
end
local function fh(aD,bJ)
for fp,B in pairs(aD)do
if bJ[fp]==nil then bJ[fp]=B end
end
return bJ
end
local function ff(Q,aH)
local fd={}
for u,p in pairs(Q or{})do
fd[u]={instant=aa(p.instant,aH),units=p.units,id=u}
end
return fd
end
function ea(a,b,gT,am)
local d,aH=z[a],F(e[a],h)+b.period
local bJ=fh(d,{
key=cQ(a,b),is_beside=false,cuts={},found={},
removed=ff(d.removed,aH),added=ff(d.added,aH),
})
z[a]=bJ
if not bJ.is_apart or bJ.key==d.key then return end
if not cR(bJ.key,gT,am)then return cb(a)end
ab(d.is_beside and"COPY"or"RENAME",d.key,bJ.key)
end
local function fe(a,v,b)
local m=dw(a)
E[m],z[m]=v,z[a]
if z[a]then
z[a].is_beside=true
z[a]=fh(z[a],{})
end
fg(a,m)
aT[m]=aa(h+F(v.algorithm.reset_after(m,v),eu(v),eu(b)),as)
return m
end
local function dC(a,b)
if e[a]-h<b.period then return 0 end
local S=b.algorithm.is_aligned and b.period or 1
local aj=ad((e[a]-h)/S)*S
e[a],ar[a]=e[a]-aj,ar[a]and F(0,ar[a]-aj)
if z[a]then b.algorithm.rewind(a,aj)end
return aj
end
local function ec(D)
local au={}
for V,m in ipairs(D or{})do
aT[m]=aT[m]-dC(m,E[m])
if aT[m]>h then au[#au+1]=m end
end
return au
end
local dQ="1,0,eiz5s00,gjdgxs\\n"
local function ew(D)
for l,m in ipairs(D or{})do
if E[m].definition==dQ then return m,l end
end
end
local function gQ(a)
local ay=dw(a)
E[ay]=ez(dQ)
c[ay],e[ay],al[ay],g[ay],aT[ay]=0,h,0,0,0
return ay
end
local function gh(a,v,D)
local ay,l=ew(D)
if ay then table.remove(D,l)else ay=gQ(a)end
local A,cw=v.algorithm.used(a,v),v.ticks_per_unit
c[ay]=F(c[ay],ao(A/cw))
al[ay]=F(al[ay]or 0,ao((A-v.capacity_ticks)/cw))
aT[ay]=F(aT[ay],aa(h+v.algorithm.reset_after(a,v),as))
D[#D+1]=ay
end
local function go(a,b)
local ay=ew(ax[a])
if not ay then return end
local i,cw=b.algorithm,b.ticks_per_unit
local cI=aa((al[ay]or 0)*cw,b.debt_ticks)
local A=aa(c[ay]*cw,b.capacity_ticks+cI)
local cz=A-i.used(a,b)
if cz<=0 then return end
if i.holds_leases then return i.charge(a,b,cz,h)end
i.advance(a,b)
i.begin(a,b,A,g[a]*cw/b.counts_per_unit,F(h,e[a]))
end
local function fu(D)
return#D-(ew(D)and 1 or 0)>=ga
end
local function ho(a,b,v,D)
if v.algorithm.reset_after(a,v)>0 then
if fu(D)then gh(a,v,D)
else D[#D+1]=ec({fe(a,v,b)})[1]end
end
ax[a]=#D>0 and D or nil
gO(a,b,v)
go(a,b)
end
local function hm(a,b,v,D,ds)
dC(a,v)
local m=table.remove(D,ds)
D[#D+1]=fe(a,v,b)
ax[a]=D
fg(m,a)
z[a]=z[m]
end
local function el(D,b)
for l,m in ipairs(D)do
if E[m].definition==b.definition then return l end
end
end
local function dY(a,b,v)
local D=ec(ax[a])
local ds=el(D,b)
if ds then hm(a,b,v,D,ds)else ho(a,b,v,D)end
end
local cW={}
local eS=2147483647
local function cN(a,v,b)
local i=b.algorithm
if(bd[a]or 0)<=h or i.base then return false end
return eD(v.algorithm,i)or eD(v.algorithm,aK[bv])and not i.holds_leases
end
local function hq(b)
if b.max_reserved then return 0 end
local i,dq=b.algorithm,eS*b.refill_per_ms
if i.is_aligned then dq=ad(eS/b.period)*b.rate
elseif i.queues then dq=F(0,dq+b.ticks_per_unit-b.capacity_ticks)
end
return F(0,b.debt_ticks-dq)
end
local function cG(a,q)
aI=aI or{}
aI[a]=q
end
local function gZ(a,b,v)
cW[a]={plan=b,anchor=aI and aI[a]or 0,own=v}
v.unreservable=hq(v)
if v.definition~=b.definition then E[a]=v end
cG(a,e[a])
end
local function hi(a,o,aq)
local D,aG=ax[a]or{},cW[a].plan
local l=el(D,aG)
local gC=l and aT[D[l]]>bd[a]
for V,m in ipairs(D)do
local G,x=E[m].definition,#o
local fJ=G==aG.definition and 0 or G==dQ and 1 or 2
if fJ<2 or not gC then
o[aq]=o[aq]+1
o[x+1],o[x+2],o[x+3]=fJ,c[m],e[m]
o[x+4],o[x+5],o[x+6]=g[m],al[m]or 0,aT[m]
end
end
end
function fL(a,o)
local ca,f=cW[a].own,#o
o[f+1],o[f+2],o[f+3],o[f+4]=bd[a],ca.kind,ca.rate,ca.period
o[f+5]=ca.capacity_ticks/ca.ticks_per_unit
o[f+6],o[f+7]=ca.max_reserved or-1,ca.start or-as
o[f+8]=0
local gJ=ca.algorithm.keeps_list or cW[a].plan.algorithm.keeps_list
if not gJ then hi(a,o,f+8)end
end
local function gI(a,b,dS,bc)
local D=ax[a]or{}
local l=el(D,b)
if not l and fu(D)then return end
local m=l and table.remove(D,l)or dw(a)
if not l then
E[m]=b
cG(m,dS)
b.algorithm.begin(m,b,0,0,h)
end
aT[m]=aa(as,F(aT[m]or 0,bc+eu(b)))
D[#D+1],ax[a]=m,D
end
function fE(a,b,aj)
local s,dS=cW[a],aI and aI[at+1]or 0
local aG,dV=E[a],aI and aI[a]or 0
if s then
aG,dV=s.plan,s.anchor
cG(a,dV)
bd[a]=nil
if s.own.definition~=aG.definition then dY(a,aG,E[a])end
E[a]=aG
end
if aj>0 then
if b.definition~=aG.definition then
cG(a,dS)
dY(a,b,aG)
E[a]=b
gI(a,aG,dV,h+aj)
end
bd[a]=h+aj
cG(a,e[a])
end
dC(a,E[a])
end
function cs(a,b)
local gB=e[a]>h and c[a]==0 and(al[a]or 0)==0 and(ar[a]or 0)<=h
if gB then b.algorithm.begin(a,b,0,0,h)end
end
local function gX(a,b)
local v=gq(a)
if not v then return cb(a)end
local az=cN(a,v,b)
if az then gZ(a,b,v)end
local fw=az or v.definition==b.definition
if fw and e[a]<=h then return end
if v.algorithm.load then v.algorithm.load(a,v)end
if aJ[a]then return end
if not az then bd[a]=nil end
if not fw then dY(a,b,v)end
dC(a,E[a])
cs(a,E[a])
aV[a]=true
end
function cy(a,b,t,p)
local D=ec(ax[a])
ax[a]=#D>0 and D or nil
local A=b.algorithm.used(a,b)
for V,m in ipairs(D)do
local cn,n=E[m],t
if p==bB or not cn.algorithm.holds_leases then
local hb=fB(A,b,cn)-cn.algorithm.used(m,cn)
n=aa(t,ad(hb/cn.ticks_per_unit))
end
if n>0 then cn.algorithm.charge(m,cn,n,p~=bB and p or h)end
end
end
for V,a in ipairs(aC)do gX(a,E[a])end
end
for a=1,ep and at or 0 do
local b=E[a]
if b.algorithm.load and not aJ[a]then
if not z[a]then b.algorithm.load(a,b)end
if not aJ[a]then b.algorithm.see(a,b)end
end
end
local o,dE={h,0},{}
for a=1,at do
local f=dg+di*(a-1)
local cO,dr=c[a],g[a]
if E[a].algorithm.note and not aJ[a]then
cO=E[a].algorithm.used(a,E[a])
dr=aa(dr,cO)
end
o[f+1],o[f+2]=cO,h-e[a]
if dr~=cO and not aJ[a]then dE[a]=cO-dr end
end
local dT=#o+1
o[dT]=0
if next(dE)or next(al)or next(ar)or next(bd)then
for a=1,at do
local cN=(bd[a]or 0)>h
if dE[a]or al[a]or ar[a]or cN then
local f,aq=#o,cN and-a or a
o[dT]=o[dT]+1
o[f+1],o[f+2],o[f+3],o[f+4]=aq,dE[a]or 0,al[a]or 0,ar[a]or 0
if cN then fL(a,o)end
end
end
end
local K=0
local function fs(a,b,A,ae)
local gA=ar[a]and ar[a]>h
return not gA and b.algorithm.used(a,b)+A<=ae
end
local function cv(a,b,A,ae)
if aC then cs(a,b)end
if aJ[a]then return false end
if fs(a,b,A,ae)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ae-A)end
return false
end
local function eI(a,b,t,p)
b.algorithm.charge(a,b,t,p)
if ax[a]then cy(a,b,t,p)end
aV[a]=true
end
local function fP(a)
local b=E[a]
if not cv(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
eI(a,b,1,bB)
K=K+1
end
if not O then
for a=1,at do fP(a)end
else
local function eY(f,bn)
if bn==1 then return O[f],1,0,0,bB end
return unpack(O,f,f+bn-1)
end
local function eJ(I,x,bn,gD)
local dR=not gD
for f=I,x,bn do
local a,t,ck,bM=eY(f,bn)
local b=E[a]
if ck==1 and b.unreservable then bM=b.unreservable end
local ae=ck==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dR=cv(a,b,F(1,t)*b.ticks_per_unit+bM,ae)and dR
end
for f=I,dR and x or 0,bn do
local a,t,V,V,p=eY(f,bn)
if t>0 then eI(a,E[a],t,p)end
K=K+1
end
end
local function eG(a,n)
local i=E[a].algorithm
if i.note_each and not aJ[a]then i.note_each(a,E[a],n)end
end
local function ch(a,b,i,aj)
i.advance(a,b)
local az=i.is_aligned or i.holds_leases and c[a]>0
if not az then e[a]=F(e[a],h)end
ar[a]=F(e[a],h)+aj
end
local function fO(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function ha(a,b,i)
if ar[a]and ar[a]<=h then ar[a]=nil end
local an={}
for V,m in ipairs(ax[a]or{})do
if aT[m]>h and fO(m,E[m])then an[#an+1]=m
else eh[#eh+1]=z[m]
end
end
ax[a]=#an>0 and an or nil
if not fO(a,b)then i.begin(a,b,0,0,h)end
end
local function gk(a,i,ak,aj)
if i.show then i.show(a,o)end
ep=false
fE(a,aS[ak],aj)
end
local function bH(S,a,I,dD)
local b=E[a]
local i=b.algorithm
if aJ[a]then return end
if aC then cs(a,b)end
if S==ge then i.settle(a,b,I,dD)
elseif S==gd then ha(a,b,i)
elseif S==fX then ch(a,b,i,I)
elseif S==gg then ar[a]=nil
elseif S==eU then gk(a,i,I,dD)
elseif S==gc and i.holds_leases then i.release(a,b,I,dD)
elseif S==eV and i.holds_leases then i.renew(a,b,I,dD)
end
if aC then cs(a,E[a])end
aV[a]=true
end
local function gt(f)
local a,t,ck,u,bT,ai,bW=unpack(O,f+1,f+bV[cp])
local b=E[a]
local i=b.algorithm
if aJ[a]then return end
if aC then cs(a,b)end
if ai+bW>0 then
local eB=i.report or i.advance
eB(a,b,f+1+bV[cp],ai,bW)
aV[a]=true
end
local ae=ck==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not fs(a,b,F(1,t)*b.ticks_per_unit,ae)then return end
if t>0 then eI(a,b,t,bB)end
local n=i.lend and i.lend(a,b,u,bT)or 0
if n>0 and ax[a]then cy(a,b,n,bB)end
aV[a],K=true,K+1+n
end
local f,x=1,#O
while f<=x do
local S,bn=O[f],fU(f)
if S>0 then fP(S)
elseif S==cf then eJ(f+1+bV[cf],f+bn-1,db)
elseif S==dl then eJ(f+1+bV[dl],f+bn-1,1)
elseif S==dN then eJ(f+1+bV[dN],f+bn-1,db,true)
elseif S==cp then gt(f)
elseif S==gf then eG(O[f+1],O[f+2])
else bH(S,O[f+1],O[f+2],O[f+3])
end
f=f+bn
end
end
for a=1,ep and at or 0 do
local i=E[a].algorithm
if i.show and not aJ[a]then i.show(a,o)end
end
local function gv(a,D)
local G,c,e,g=E[a].definition,c[a],e[a],g[a]
local s,ch,j,cx,r,aA,cK=al[a],ar[a]or 0,0,"",nil,"",""
local i,aM=E[a].algorithm,nil
if i.divide then aA,cK=i.divide(a)end
if ch~=0 then j,cx=dJ,N(eN,ch)end
if D~=""then j,cx=j+eP,cx..N(eT,#D,D)end
if aA~=""then j,cx=j+eO,cx..aA end
if c<16777216 and g==c and not s then
if aM then r=N("<c0Bi6I3i6",G,j,e,c,aM)
else r=N("<c0Bi6I3",G,j,e,c)
end
else
local aw,w="<c0Bi6I3",""
if c>=1099511627776 then aw,j="<c0Bi6I7",j+2
elseif c>=16777216 then aw,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bh
elseif g~=c then j,w=j+bC,N("<I7",g)
end
if s then j,w=j+bu,w..N("<I7",s)end
r=N(aw,G,j,e,c)..w
end
return r..cx..cK
end
local function hc(a)
local b,ah,D,fT=E[a],KEYS[a],"",0
local s,ch=al[a]or 0,ar[a]or 0
local y=b.algorithm.reset_after(a,b)
if ax[a]or bd[a]then D,fT=fn(a)end
y=F(y,ch-h,fT)
if not(y>0 or bb>0 and(c[a]>0 or s>0 or ch>0))then
if z[a]and z[a].is_apart then ab("UNLINK",z[a].key)end
return ab("DEL",ah)
end
local ac
ac=bK("%d",(y<as and y or as)+bb)
ab("PSETEX",ah,ac,gv(a,D))
if b.algorithm.write then b.algorithm.write(a,ac)end
if ax[a]then fV(a,ac)end
end
local function hd()
for a=1,at do
if aV[a]and not aJ[a]then hc(a)end
end
for V,d in ipairs(eh)do
if d.is_apart then ab("UNLINK",d.key)end
end
end
local gG,R=pcall(hd)
if not gG then
local r=type(R)=="table"and R.err or R
K=nil
for l,bI in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aF(r,bI,1,true)then K=-l end
end
local aZ=aF(r,"READONLY ",1,true)
if aZ then return{err=string.sub(r,aZ)}end
if not K then error(R,0)end
end
o[cC]=K
return o
`,
} as const;

/** The script of the register. */
export const REGISTER_SCRIPT = {
  sha1: "5ad5e6722cf774cc651507b1d7fd538b0d8d9598",
  source: `local a,h=redis.call,string.format
local k,g,c=KEYS[1],KEYS[2],KEYS[3]
local r,b,m=ARGV[1],ARGV[3],ARGV[4]
local function y()
if ARGV[2]~=""then return tonumber(ARGV[2])end
local q=a("TIME")
return q[1]*1000+math.floor(q[2]/1000)
end
local function p(i)
local d=a("HGET",g,i)
return d and string.match(d,"^%d+")
end
local function o(j)
if#j==0 then return end
a("ZREM",k,unpack(j))
a("ZREM",c,unpack(j))
a("HDEL",g,unpack(j))
end
local function z(f)
local n,l=p(b),f+ARGV[6]
if n and n~=ARGV[7]then l=math.max(l,a("ZSCORE",c,b)or 0)end
a("ZADD",k,0,b)
a("HSET",g,b,h("%s %.0f %s",m,f,ARGV[5]))
a("ZADD",c,h("%.0f",l),b)
o(a("ZRANGEBYSCORE",c,"-inf",h("%.0f",f),"LIMIT",0,10))
local x=a("ZRANGE",c,-1,-1,"WITHSCORES")[2]-f
for s,v in ipairs(KEYS)do a("PEXPIRE",v,h("%.0f",x))end
end
local function w()
local t,u,e="("..b,"("..m,{}
for s,i in ipairs(a("ZRANGEBYLEX",k,t,u,"LIMIT",0,ARGV[5]))do
local d=a("HGET",g,i)
if d then
e[#e+1]=i
e[#e+1]=d
end
end
return e
end
if r=="list"then return w()end
if r=="put"then z(y())
elseif p(b)==m then o({b})end
return""
`,
} as const;
