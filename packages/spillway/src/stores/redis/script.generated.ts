/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "47e7aa25d2456bdcb1592c01d2fea91b723174e5",
  source: `local P,aa,bO,aH,hR=struct.pack,struct.unpack,string.format,string.find,string.byte
local ac,bW,Y,E,ae,aq=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local at=4503599627370496
local aX=4000
local bF=0
local by,aj,ch,cK,eZ,dk,dW,dU,dV,ci,gu,gt,gm,gw,gs,ff,fd,fe,cs,du,dX,gv,dj,dp,dr,dq,fg,hQ,hP,hN,hO,cJ=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-13,-11,-8,-9,-10,5,2,2,4,4,8,6,2,3,2
local bR=ARGV[4]
local h,aZ=tonumber(ARGV[bR and 9 or 3]),3600000
if not h then
local gg=ac("TIME")
h,aZ=gg[1]*1000+ae(gg[2]/1000),0
end
local bj,bG,bx,dT,eY,eX=4,8,16,32,64,128
local eW="<I7"
local fc="<I4c0"
local di="<I4i7i6"
local ds,fh,ai,dn="<i6I4I7",17,3,256
local ed=bit.band
local function eG(
G,i,bg,ba,cI,refill_per_ms,capacity_ticks,debt_ticks,ay,cE
)
return{
numbers=ay,bytes=#G+(i<aj and 16 or 10),
definition=G,kind=i,rate=bg,period=ba,ticks_per_unit=cI,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cE,
}
end
local au=#KEYS
local aV,bh,bi,bf,aL,O
if not bR then
aV=cjson.decode(ARGV[1])
for l=1,#aV do aV[l]=eG(unpack(aV[l]))end
if ARGV[2]and ARGV[2]~=""then bh=cjson.decode(ARGV[2])end
if bh then bf,aL,O=bh.owners,bh.anchors,bh.steps end
bi=ac("MGET",unpack(KEYS,1,Y(au,aX)))
for I=aX+1,au,aX do
local fo=ac("MGET",unpack(KEYS,I,Y(I+aX-1,au)))
for l=1,#fo do bi[I+l-1]=fo[l]end
end
end
if bR or bh and bh.leases then
local bE,dm=17,16
local gn=10
local cg,N,M,U,f=string.sub,true,0,nil,1
local G,dy,ao,ba,bs,B,c,e,I,S,u,t,bQ
local bz,bC,dz,r,ad
local bm,w,ab,H,cc,Q
if bR then
G,dy,ba,bs,S,u,t,bQ=unpack(ARGV)
ao,ba,bs,S,u=#G+10,ba+0,bs+0,S+0,u+0
t,bQ=(t or 1)+0,(bQ or 0)+0
local fC=bW("GET",KEYS[1])
N=type(fC)~="table"
bi={N and fC}
else
bm,w,ab,H,cc,Q={h,0},{},{},{},{},{}
end
for a=1,N and au or 0 do
if not bR then
local b=aV[bf and bf[a]or 1]
G,dy,ao,ba,bs=b.definition,b.numbers,b.bytes,b.period,b.capacity_ticks
S,t=O[f],O[f+3]
if S==ci then bQ,u,f=O[f+5],O[f+6],f+2+dj
else u,f=O[f+2],f+4
end
end
B,c,e,I=bi[a]or"",0,h,1
if B~=""then
local cl,bP,j=#B-ao,nil,nil
N=cl>0 and cl<=dm*bE and cl%bE==0
if N then
bP,j,e,c,I=aa(dy,B)
N=bP==G and j==bj and e<=h
local q,o=aa("<i6I4",B,I)
while q and q<=h do
c,I,q=c-o,I+bE,nil
if I<#B then q,o=aa("<i6I4",B,I)end
end
end
end
if N then
local W,aK,dM,am=cg(B,I),e+ba,0,nil
bz,bC,dz,r,ad=nil,0,-2,nil,nil
if S==ci then
local af=bs-E(1,t)-bQ
if c<=af then
M=M+1
if t>0 then
dM,am=t,c+t
N=#W<dm*bE and am<16777216 and not aH(W,P("<I7",u),1,true)
end
elseif af>=0 then
local as,cF=1,c-af
while as<#W do
local q,o=aa("<i6I4",W,as)
if cF<=0 and q>bz then break end
bz,bC,cF,as=q,bC+o,cF-o,as+bE
end
end
else
am=c
local as=aH(W,P("<I7",u),1,true)
if as then
as=as-gn
N=as%bE==1
if N then bz,bC,dz=aa("<i6I4I7",W,as)end
if N and bC==t then
W=cg(W,1,as-1)..cg(W,as+bE)
if S==ff then dM=t else am=c-t end
end
end
end
if am then
local y=nil
if dM>0 then
y=ba
r=P("<c0Bi6I3c0i6I4I7",G,bj,h,am,W,h+ba,dM,u)
elseif am==0 then
r=""
else
r=P("<c0Bi6I3c0",G,bj,e,am,W)
if aZ>0 then y=aK-h end
end
if y then
ad=bO("%d",(y<at and y or at)+aZ)
end
end
end
if not N then break end
if not bR then
local x=#bm
bm[x+1],bm[x+2],H[a],cc[a]=c,h-e,r,ad
if c>0 then
x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c,0,0
end
x=#ab
ab[x+1]=(bz and 1 or 0)+(c>bC and 1 or 0)
if bz then ab[x+2],ab[x+3],ab[x+4]=bz,bC,dz end
if c>bC then
local df=#ab
ab[df+1],ab[df+2],ab[df+3]=e+ba,c-bC,bz and-3 or-2
end
if not bi[a]then Q[#Q+1]=KEYS[a]end
end
end
if Q and Q[1]and N then
N=#Q<=aX and ac("EXISTS",unpack(Q))==0
end
if N then
for a=1,au do
if not bR then r,ad=H[a],cc[a]end
if r and not U then
local aQ
if r==""then aQ=bW("DEL",KEYS[a])
elseif ad then aQ=bW("SET",KEYS[a],r,"PX",ad)
else aQ=bW("SET",KEYS[a],r,"KEEPTTL")
end
U=type(aQ)=="table"and aQ.err
end
end
if U then
local r=type(U)=="table"and U.err or U
M=nil
for l,bM in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aH(r,bM,1,true)then M=-l end
end
local bc=aH(r,"READONLY ",1,true)
if bc then return{err=string.sub(r,bc)}end
if not M then error(U,0)end
end
if bR then
if not bz then return bO("%d,%d,%d,%d",h,M,c,h-e)end
return bO("%d,%d,%d,%d,%d,%d,%d",h,M,c,h-e,bz,bC,dz)
end
bm[cJ],bm[#bm+1]=M,#w/dq
for f=1,#w do bm[#bm+1]=w[f]end
for f=1,#ab do bm[#bm+1]=ab[f]end
return bm
elseif bR then
aV={eG(G,dk,bs,ba,1,0,bs,0,dy)}
O=S==ci and{ci,1,1,t,0,bQ,u}or{S,1,u,t}
bi=ac("MGET",KEYS[1])
end
elseif not bh or bh.takes_units then
local N,Q,n,M,w,U=true,nil,{h,0},0,nil,nil
local H,cc={},{}
local F,bo,bV,bn,ca,ey,aS
if O then
F,bo,bV,bn,ca,ey,aS={},{},{},{},{},{},{}
end
for a=1,au do
local b,B=aV[bf and bf[a]or 1],bi[a]
local G,i,c,e,g,s,av=b.definition,b.kind,0,h,0,nil,nil
if B then
local y,bP,j=nil,nil,nil
if#B==b.bytes then bP,j,e,c,av=aa(b.numbers,B)end
if bP==G and j==0 then
g=c
elseif aH(B,G,1,true)==1 then
local f=#G+1
av=nil
local ao,j=#B-f,nil
if ao>=9 then
j,e,c=aa("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local K=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*K+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if K>0 then c,f=aa(K==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bj and 0 or c
if bv then g,f=aa("<I7",B,f)end
if bu then s,f=aa("<I7",B,f)end
end
end
else
f=nil
end
N=f==#B+1
else
N=false
end
if i>=aj and N then
if i<aj then
y=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==aj then
y=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
av=y>0 and h+y or nil
end
else
Q=Q or{}
Q[#Q+1]=KEYS[a]
if i>=aj then e=h-(h-(aL and aL[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cK then N=false end
if not N then break end
local f=dp+dr*(a-1)
n[f+1],n[f+2]=c,h-e
if s or g~=c then
w=w or{}
local x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c-g,s or 0,0
end
if O then
F[a],bo[a],bV[a],bn[a],ca[a],ey[a]=b,c,e,g,s,av
else
local A,ax
if i<aj then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A,ax=c,b.ticks_per_unit
elseif i==aj then
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
A,ax=c,1
else
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-E(0,h-e))end
ax=1
end
if A+b.ticks_per_unit<=b.capacity_ticks then
c,g,M=c+ax,g+ax,M+1
local G,j,y,aB,aO,r,ad=b.definition,0,nil,false,nil,nil,nil
if i<aj then
y=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==aj then
y=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if aZ==0 then aB=av and h+y<=av end
if i<aj and c<16777216 and g==c then
if aZ==0 and not aB then
y=y+ae(y/4)
av=h+y
end
aO=av or h
end
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local ay,w="<c0Bi6I3",""
if c>=1099511627776 then ay,j="<c0Bi6I7",j+2
elseif c>=16777216 then ay,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(ay,G,j,e,c)..w
end
if not aB then
ad=bO("%d",(y<at and y or at)+aZ)
end
H[a],cc[a]=r,ad
end
end
end
if Q and N and(#Q>aX or ac("EXISTS",unpack(Q))>0)then N=false end
if N and O then
local f,x=1,#O
while f<=x do
local I,dx,cy=f,f,true
if O[f]==du then I,dx=f+2,f+1+O[f+1]end
for as=I,dx do
local a=O[as]
local b,c,e,g,s=F[a],bo[a],bV[a],bn[a],ca[a]
local i=b.kind
local A,ax
if i<aj then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A,ax=c,b.ticks_per_unit
elseif i==aj then
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
A,ax=c,1
else
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-E(0,h-e))end
ax=1
end
bo[a],bV[a],bn[a],ca[a]=c,e,g,s
cy=cy and A+b.ticks_per_unit<=b.capacity_ticks
end
for as=I,cy and dx or 0 do
local a=O[as]
local b=F[a]
local ax=b.kind==ch and 1 or b.ticks_per_unit
bo[a],bn[a],aS[a]=bo[a]+ax,bn[a]+ax,true
M=M+1
end
f=dx+1
end
for a=1,au do
if aS[a]then
local b,c,e,g,s,av=F[a],bo[a],bV[a],bn[a],ca[a],ey[a]
local i=b.kind
local G,j,y,aB,aO,r,ad=b.definition,0,nil,false,nil,nil,nil
if i<aj then
y=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==aj then
y=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if aZ==0 then aB=av and h+y<=av end
if i<aj and c<16777216 and g==c then
if aZ==0 and not aB then
y=y+ae(y/4)
av=h+y
end
aO=av or h
end
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local ay,w="<c0Bi6I3",""
if c>=1099511627776 then ay,j="<c0Bi6I7",j+2
elseif c>=16777216 then ay,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(ay,G,j,e,c)..w
end
if not aB then
ad=bO("%d",(y<at and y or at)+aZ)
end
H[a],cc[a]=r,ad
end
end
end
if N then
for a=1,au do
if H[a]then
local aQ
if cc[a]then aQ=bW("PSETEX",KEYS[a],cc[a],H[a])
else aQ=bW("SET",KEYS[a],H[a],"KEEPTTL")
end
U=U or aQ.err
end
end
if U then
local r=type(U)=="table"and U.err or U
M=nil
for l,bM in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aH(r,bM,1,true)then M=-l end
end
local bc=aH(r,"READONLY ",1,true)
if bc then return{err=string.sub(r,bc)}end
if not M then error(U,0)end
end
n[cJ],n[#n+1]=M,w and#w/dq or 0
for f=1,w and#w or 0 do n[#n+1]=w[f]end
return n
end
elseif bh.lends then
local dd,cg,bB=string.rep,string.sub,table.remove
local gl={[dW]=by,[dU]=aj,[dV]=ch}
local N,Q,n,M,w,U=true,nil,{h,0},0,nil,nil
for R,b in ipairs(aV)do
b.base=gl[b.kind]or b.kind
b.unit=b.base==ch and 1 or b.ticks_per_unit
end
local F,bo,bV,bn,ca,dR,aS={},{},{},{},{},{},{}
local dQ,dF,cG={},{},{}
local Z={}
for a=1,au do
local b,B=aV[bf and bf[a]or 1],bi[a]
local G,i,c,e,g,s=b.definition,b.base,0,h,0,nil
local k,ap,t=nil,0,0
if not B then
Q=Q or{}
Q[#Q+1]=KEYS[a]
if i>=aj then e=h-(h-(aL and aL[a]or 0))%b.period end
elseif aH(B,G,1,true)==1 then
local f=#G+1
local ao,j=#B-f,nil
if ao>=9 then
j,e,c=aa("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local K=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*K+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if K>0 then c,f=aa(K==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bj and 0 or c
if bv then g,f=aa("<I7",B,f)end
if bu then s,f=aa("<I7",B,f)end
end
end
else
f=nil
end
if i==b.kind and i<aj and f==#B-5 then f=#B+1 end
if f then t=(#B+1-f)/fh end
N=f and(t==0 or j<dT and i~=b.kind and t%1==0 and t<=dn)
if N and t>0 then
cG[a]=cg(B,f)
k={aa(dd(ds,t),cG[a])}
k[#k]=nil
for l=2,#k,ai do ap=ap+k[l]end
end
else
N=false
end
if e>h or b.rate==0 or i>=cK then N=false end
if not N then break end
local as=dp+dr*(a-1)
n[as+1],n[as+2]=c,h-e
if s or g~=c then
w=w or{}
local x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c-g,s or 0,0
end
if i~=b.kind then
local x=#Z+1
Z[x]=k and#k/ai or 0
for l=1,k and#k or 0 do Z[x+l]=k[l]end
end
if k and i==by then
local ar=ap*b.ticks_per_unit
local l,bb=1,E(h,e)
while l<#k and k[l]<=bb do
local q=k[l]
if q>e then
c,e=E(ar,c-(q-e)*b.refill_per_ms),q
end
ar,l=ar-k[l+1]*b.ticks_per_unit,l+ai
end
if h>e then c,e=E(ar,c-(h-e)*b.refill_per_ms),h end
g,dR[a]=Y(g,c-ar),c
else
local A,ax
if i<aj then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
A,ax=c,b.ticks_per_unit
elseif i==aj then
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
A,ax=c,1
else
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-E(0,h-e))end
ax=1
end
dR[a]=A
end
while k and k[1]and k[1]<=h do
ap,cG[a]=ap-k[2],nil
for R=1,ai do bB(k,1)end
end
F[a],bo[a],bV[a],bn[a],ca[a]=b,c,e,g,s
dQ[a],dF[a]=k,ap
end
if Q and N and(#Q>aX or ac("EXISTS",unpack(Q))>0)then N=false end
if N then
local f,x=1,O and#O or au
while f<=x do
local a,t,cn,u,bX,am,bZ=O and O[f]or f,1,0,0,0,0,0
f=f+1
if a==cs then
a,t,cn,u,bX,am,bZ=unpack(O,f,f+6)
f=f+7
end
local b,k,ap=F[a],dQ[a],dF[a]
local c,A,g=bo[a],dR[a],bn[a]
local ax,cI=b.unit,b.ticks_per_unit
if am+bZ>0 then
k,aS[a]=k or{},true
local bT,cf=0,0
for dg=1,am+bZ do
local eK,o,l=O[f],O[f+1],ai
while k[l]and k[l]~=eK do l=l+ai end
if k[l]then
local s=k[l-1]
local cr=Y(s,o)
local aB=dg>am and 0 or cr
k[l-1],ap,cf=aB,ap-s+aB,cf+s-cr
if dg>am then bT=bT+cr end
for R=1,aB==0 and ai or 0 do bB(k,l-2)end
end
f=f+2
end
c,A,g=c-bT*ax,A-bT*cI,g+cf*ax
if bT+cf>0 then cG[a]=nil end
end
local af=cn==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if A+E(1,t)*cI<=af then
c,A,g=c+t*ax,A+t*cI,g+t*ax
aS[a],M=true,M+1
if bX>0 and b.share then
local ck=h+b.share
if b.base~=by then ck=Y(ck,bV[a]+b.period)end
k=k or{}
local o=0
if bX>0 and#k<ai*dn then
local er=ae(b.capacity_ticks/b.ticks_per_unit/2)
o=Y(bX,aq(ae((b.capacity_ticks-A)/b.ticks_per_unit)/2),er-ap)
end
if o>0 then
local L,q=o,E(ck,k[#k-2]or ck)
for l=#k,ai,-ai do
if k[l]==u then
L=L+k[l-1]
for R=1,ai do bB(k,l-2)end
end
end
local x=#k
k[x+1],k[x+2],k[x+3]=q,L,u
ap=ap+o
else
o=0
end
if o>0 then cG[a]=nil end
c,A,M=c+o*ax,A+o*cI,M+o
end
end
bo[a],dR[a],bn[a],dQ[a],dF[a]=c,A,g,k,ap
end
for a=1,au do
if aS[a]and not U then
local b,c,e,g,s=F[a],bo[a],bV[a],bn[a],ca[a]
local G,i,j,y,r=b.definition,b.base,0,nil,nil
local k,aO=dQ[a],nil
local fG=k and k[1]
if fG and i==by then
local ar=dF[a]*b.ticks_per_unit
local bS,q=c,e
for l=1,#k,ai do
if k[l]>e then
bS=E(ar,bS-(k[l]-q)*b.refill_per_ms)
q,ar=k[l],ar-k[l+1]*b.ticks_per_unit
end
end
y=bS<=0 and 0 or q+aq(bS/b.refill_per_ms)-h
else
if i<aj then
y=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==aj then
y=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
end
local aQ,ad
if y<=0 then
aQ=bW("DEL",KEYS[a])
else
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local ay,w="<c0Bi6I3",""
if c>=1099511627776 then ay,j="<c0Bi6I7",j+2
elseif c>=16777216 then ay,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(ay,G,j,e,c)..w
end
ad=bO("%d",(y<at and y or at)+aZ)
if fG then
r=r..(cG[a]or P(dd(ds,#k/ai),unpack(k)))
end
aQ=bW("PSETEX",KEYS[a],ad,r)
end
if type(aQ)=="table"then U=aQ.err end
end
end
if U then
local r=type(U)=="table"and U.err or U
M=nil
for l,bM in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aH(r,bM,1,true)then M=-l end
end
local bc=aH(r,"READONLY ",1,true)
if bc then return{err=string.sub(r,bc)}end
if not M then error(U,0)end
end
n[cJ],n[#n+1]=M,w and#w/dq or 0
for f=1,w and#w or 0 do n[#n+1]=w[f]end
for f=1,#Z do n[#n+1]=Z[f]end
return n
end
elseif bh.logs then
local bY,aR,go,bH="<i6I7",13,416,9007199254740992
local cg=string.sub
local N,Q,n,M,w,ab,U=true,nil,{h,0},0,{},{},nil
local H,ep={},{}
for a=1,au do
local b,B=aV[bf and bf[a]or 1],bi[a]
local G,c,e,g,s,W,x,V=b.definition,0,h,0,nil,"",h,0
local t=#ab+1
ab[t]=0
if B then
if aH(B,G,1,true)==1 then
local f=#G+1
local ao,j=#B-f,nil
if ao>=9 then
j,e,c=aa("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local K=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*K+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if K>0 then c,f=aa(K==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bj and 0 or c
if bv then g,f=aa("<I7",B,f)end
if bu then s,f=aa("<I7",B,f)end
end
end
else
f=nil
end
local fA=f and#B+1-f or 0
N=f and j<bx and fA>0 and fA%aR==0
if N then
local I,aw,q,bA=f,h-b.period,nil,nil
x,V=aa(bY,B,#B-aR+1)
local aI=V-c
if aI<0 then aI=aI+bH end
q,bA=aa(bY,B,I)
while q<=aw and I<#B do
aI,I=bA,I+aR
if I<#B then q,bA=aa(bY,B,I)end
end
c=V-aI
if c<0 then c=c+bH end
if g>c then g=c end
W=cg(B,I)
if c>0 then
local o=bA-aI
if o<0 then o=o+bH end
ab[t+1],ab[t+2]=q,o
if o<c then ab[t+3],ab[t+4]=x,c-o end
ab[t]=(t-#ab)/2
elseif W~=""then
N=false
end
end
else
N=false
end
else
Q=Q or{}
Q[#Q+1]=KEYS[a]
end
local fE=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or fE and#W>go-aR then N=false end
if not N then break end
local f=dp+dr*(a-1)
n[f+1],n[f+2]=c,h-e
if g~=c then
local f=#w
w[f+1],w[f+2],w[f+3],w[f+4]=a,c-g,0,0
end
if fE then
local j,aO,y,ad,r=0,nil,b.period,nil,nil
if W==""then V=1
else
V=V>=bH-1 and V-(bH-1)or V+1
if x==h then W=cg(W,1,-aR-1)end
end
c,g,e,M=c+1,g+1,h,M+1
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local ay,w="<c0Bi6I3",""
if c>=1099511627776 then ay,j="<c0Bi6I7",j+2
elseif c>=16777216 then ay,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(ay,G,j,e,c)..w
end
H[a]=r..W..P(bY,h,V)
if not ep[b]then
ad=bO("%d",(y<at and y or at)+aZ)
ep[b]=ad
end
end
end
if Q and N and(#Q>aX or ac("EXISTS",unpack(Q))>0)then N=false end
if N then
for a=1,au do
if H[a]then
local aQ=bW("PSETEX",KEYS[a],ep[aV[bf and bf[a]or 1]],H[a])
U=U or aQ.err
end
end
if U then
local r=type(U)=="table"and U.err or U
M=nil
for l,bM in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aH(r,bM,1,true)then M=-l end
end
local bc=aH(r,"READONLY ",1,true)
if bc then return{err=string.sub(r,bc)}end
if not M then error(U,0)end
end
n[cJ],n[#n+1]=M,#w/dq
for f=1,#w do n[#n+1]=w[f]end
for f=1,#ab do n[#n+1]=ab[f]end
return n
end
end
local F,c,e,g={},{},{},{}
local an,ak,z,az,aW,be,aA={},{},{},{},{},{},{}
local cH,cO,cS,es={},{},{},{}
local aJ,aS={},{}
local bU,bt={},{}
local cE,cv,fz,gk,ej,fY,fR
local cW,cX
local function ce(a)
aJ[a],c[a],e[a],g[a]=true,-1,h,0
be[a],aA[a]=nil,nil
end
local function gG(a,j,f)
local B=bi[a]
if ed(j,dT)~=0 then ak[a],f=aa(eW,B,f)end
if ed(j,eY)~=0 then cH[a],f=aa(fc,B,f)end
if ed(j,eX)~=0 then
cO[a]={aa(di,B,f)}
f=cO[a][4]
end
cS[a]=string.sub(B,f)
end
local bK,bI,bJ=c,e,g
local function fw(a,cl)
local B,f,c,e,g,s=bi[a],cl+1,nil,nil,nil,nil
local ao,j=#B-f,nil
if ao>=9 then
j,e,c=aa("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local K=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*K+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if K>0 then c,f=aa(K==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bj and 0 or c
if bv then g,f=aa("<I7",B,f)end
if bu then s,f=aa("<I7",B,f)end
end
end
else
f=nil
end
if not f then return false end
bK[a],bI[a],bJ[a],an[a]=c,e,g,s
return f>#B or pcall(gG,a,j,f)
end
local function gd(a,cA)
if not cA[1]or type(cA[1][1])~="number"then return end
aA[a]=table.remove(cA,1)
for dw=1,fg do
local ag=aA[a][dw]
assert(type(ag)=="number"and ag>=0)
end
end
local function gS(a)
if not cH[a]then return false end
local gW,cA=pcall(cmsgpack.unpack,cH[a])
if not(gW and#cA==1 and pcall(gd,a,cA)and aA[a])then return true end
cH[a]=nil
return false
end
local Q,aE,aU={},nil,{}
if O and O[1]==fd then aE={}end
for R,b in ipairs(aV)do aU[b.kind]=true end
for a=1,au do
local b,B=aV[bf and bf[a]or 1],bi[a]
F[a]=b
if not B then
Q[#Q+1]=a
else
local gY=aH(B,b.definition,1,true)==1 and fw(a,#b.definition)
if not gY or gS(a)or e[a]>h then
aE=aE or{}
aE[#aE+1]=a
end
end
end
local bD,gj
if O then
bD={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-13]=5,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function gj(f)
local S,fl=O[f],O[f+1]
if S>0 then return 1 end
if S==cs then return 1+bD[cs]+2*(O[f+6]+O[f+7])end
local gX=S==ci or S==dX
return 1+bD[S]+(gX and dj*fl or S==du and fl or 0)
end
end
local aM={}
local function cL(a,i,bL)
c[a]=c[a]+bL
if i.record and bL~=0 then i.record(a,bL)end
end
local function gB(a,b,t)
local i,ge=b.algorithm,t*b.counts_per_unit
i.advance(a,b)
cL(a,i,ge)
g[a]=g[a]+ge
end
local function hz(a,b,fV,hp)
local i,eo=b.algorithm,hp-fV
i.advance(a,b)
local af=(i.most_counts and i.most_counts(b)or at)-c[a]-(an[a]or 0)
local hd=i.queues and 0 or-g[a]
cL(a,i,E(hd,Y(eo*b.counts_per_unit,E(0,af))))
g[a]=Y(E(0,g[a]-fV*b.counts_per_unit),c[a])
if eo>0 and az[a]then cE(a,b,eo,bF)end
end
local function gz(a,b,A,da,f)
local i,gf=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],an[a]=0,i.is_aligned and f-(f-(aL and aL[a]or 0))%b.period or f,nil
cL(a,i,aq(A/gf))
g[a]=ae(da/gf)
end
local function ha(a,b,v)
local i=b.algorithm
if not i.has_history or b.period~=v.period then return false end
local function ga(G)return string.match(G,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return ga(b.definition)==ga(v.definition)and i.used(a,b)<=b.capacity_ticks
end
local function bg(i)
i.charge,i.settle,i.begin,i.keep=gB,hz,gz,ha
return i
end
local function fm(b)
b.algorithm=aM[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local eA=aU[dW]or aU[dU]or aU[dV]
if eA then aU[by],aU[aj],aU[ch]=true,true,true end
if aE or aU[by]then
local aG={is_reservable=true}
local function eq(aF,m)
while m~=0 do aF,m=m,aF%m end
return aF
end
function aG.define(b)
local dh=eq(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/dh,b.rate/dh
end
function aG.used(a,b)
local c,e,g=c[a],e[a],0
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bK,bI,bJ=c,e,g
function aG.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bK[a],bI[a],bJ[a]=c,e,g
end
function aG.reset_after(a,b)
local c,e,g,y=c[a],e[a],0,nil
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
return y
end
aM[by]=bg(aG)
end
if aE or aU[aj]then
local aP={is_aligned=true,is_reservable=true}
function aP.used(a,b)
local c,e,g=c[a],e[a],0
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bK,bI,bJ=c,e,g
function aP.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bK[a],bI[a],bJ[a]=c,e,g
end
function aP.reset_after(a,b)
local c,e,g,y=c[a],e[a],0,nil
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y=c==0 and 0 or e+aq(c/b.rate)*b.period-h
return y
end
function aP.most_counts(b)
return b.rate==0 and at or Y(at,ae(at/b.period)*b.rate)
end
aM[aj]=bg(aP)
end
if aE or aU[ch]then
local aP={is_aligned=true,has_history=true,counts_units=true}
function aP.define(b)
b.ticks_per_unit=b.period
end
function aP.used(a,b)
local c,e,g,s,A=c[a],e[a],0,an[a],nil
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
A=c*b.period
if s then A=A+s*(b.period-E(0,h-e))end
return A
end
local bK,bI,bJ=c,e,g
function aP.advance(a,b)
local c,e,g,s=c[a],e[a],g[a],an[a]
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
bK[a],bI[a],bJ[a],an[a]=c,e,g,s
end
function aP.reset_after(a,b)
local c,e,g,s,y=c[a],e[a],0,an[a],nil
local C=h-e
if C>=b.period then
local X=ae(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
y=c>0 and e+2*b.period-h or s and e+b.period-h or 0
return y
end
function aP.most_counts(b)
return ae(at/b.period)
end
aM[ch]=bg(aP)
end
if aE or aU[cK]then
function cW(a,b)
return(string.gsub(KEYS[es[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cQ(aT,al)
local H=redis.pcall(aT,al,0,0)
if not H.err then return H end
if not aH(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cX(al,aT,ao)
local H=cQ(aT,al)
if not H then return false end
if H[1]and#H[1]~=ao then return false end
if H[1]then ac("UNLINK",al)end
return true
end
local function ew(a,d,aT,ao)
local H=cQ(aT,d.key)
if not H or H[1]and#H[1]~=ao then return ce(a)end
return H[1]~=nil
end
local function cw(aT,al,cj)
for I=1,#cj,aX do
ac(aT,al,unpack(cj,I,Y(I+aX-1,#cj)))
end
end
local function bb(a)
return E(e[a],h)
end
local function eP(eM)
local bd={}
for al in pairs(eM)do bd[#bd+1]=al end
table.sort(bd)
return bd
end
local bY,aR,bH="<i6I7",13,9007199254740992
local bq=32
local ct=bq*aR
local dZ=1024
local aD={has_history=true,keeps_list=true}
local function hk(V,o)
return V>=bH-o and V-(bH-o)or V+o
end
local function cm(V,en)
return V<en and V-en+bH or V-en
end
local function fS(d,eF)
local r=d.read[eF]
if not r then
r=ac("LINDEX",d.key,eF-1)
d.read[eF]=r
end
return r
end
local function cb(d,ag)
local r,eD=d.tail,(ag-d.pages*bq-1)*aR
if eD<0 then r,eD=fS(d,aq(ag/bq)),(ag-1)%bq*aR end
local q,V=aa(bY,r,eD+1)
return q-d.shift,V
end
local function cp(d,ag)
if ag==d.head then return d.base end
local R,V=cb(d,ag)
return V
end
local function fL(d,q)
local aN,aY=d.head,d.length
if aN==aY or cb(d,aN+1)>q then return aN end
while aN<aY do
local bw=aq((aN+aY)/2)
if cb(d,bw)<=q then aN=bw else aY=bw-1 end
end
return aN
end
local function fK(d,o)
local aN,aY=d.head,d.length
while aN<aY do
local bw=aq((aN+aY)/2)
if cm(d.sum,cp(d,bw))>=o then aN=bw else aY=bw-1 end
end
return aN
end
local function eN(d,W)
d.tail,d.length=W,d.pages*bq+#W/aR
d.sum=d.length>d.head and select(2,cb(d,d.length))or d.base
end
local function fj(d,q,V)
d.tail=d.tail..P(bY,q+d.shift,V)
d.length,d.sum=d.length+1,V
end
function aD.open(a,b)
local al=cW(a,b)
local eu=z[a]and z[a].key==al and z[a].is_apart
z[a]={
key=al,is_apart=eu,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return z[a]
end
function aD.load(a,b)
local d,aC,W=aD.open(a,b),cO[a],cS[a]or""
if#W%aR~=0 then return ce(a)end
if aC then
d.pages,d.head,d.shift=aC[1],aC[2],aC[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not ew(a,d,"LRANGE",ct)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
W=P(bY,e[a]+d.shift,c[a])
end
eN(d,W)
d.base=cm(d.sum,c[a])
end
local function dD(a,b)
local d,aw=z[a],bb(a)-b.period
if d.over~=aw then d.over,d.last_over=aw,fL(d,aw)end
return d.last_over
end
function aD.used(a,b)
local d=z[a]
return cm(d.sum,cp(d,dD(a,b)))
end
function aD.advance(a,b)
local d,aw=z[a],dD(a,b)
d.base=cp(d,aw)
d.head=aw
c[a]=cm(d.sum,d.base)
g[a]=Y(g[a],c[a])
end
function aD.reset_after(a,b)
local d=z[a]
if d.length==d.head then return 0 end
return E(0,cb(d,d.length)+b.period-h)
end
local function hl(a,o)
local d,q=z[a],bb(a)
local V=hk(d.sum,o)
if d.length==d.head then d.base,V=0,o end
if d.length>d.head and cb(d,d.length)==q then
d.tail,d.length=string.sub(d.tail,1,-aR-1),d.length-1
end
fj(d,q,V)
e[a]=q
end
local function hI(d,ag)
if ag<=d.pages*bq then
local eT=E(0,aq(ag/bq)-1)
local W=ag>0 and string.sub(fS(d,eT+1),1,(ag-eT*bq)*aR)or""
d.pages=eT
return eN(d,W)
end
eN(d,string.sub(d.tail,1,(ag-d.pages*bq)*aR))
end
local function hG(a,o)
local d=z[a]
local x,V=fK(d,o),cm(d.sum,o)
d.cuts[x],d.cuts[x+1]=true,true
local q=x<d.length and V~=cp(d,x)and cb(d,x+1)
hI(d,x)
if q then fj(d,q,V)end
end
function aD.record(a,bL)
if bL>0 then hl(a,bL)else hG(a,-bL)end
end
function aD.note(a,b,af)
local d=z[a]
if ak[a]and ak[a]>h then d.cuts[fL(d,E(e[a],ak[a])-b.period)]=true end
if af>=0 and aD.used(a,b)>af then d.cuts[fK(d,af+1)+1]=true end
end
function aD.note_each(a,b,o)
local d,ag=z[a],dD(a,b)
local s,af=cp(d,ag),aD.used(a,b)+o-b.capacity_ticks
while ag<d.length and cm(cp(d,ag),s)<af do
ag=ag+1
d.cuts[ag]=true
end
bU[a].is_whole=ag==d.length
if not bU[a].is_whole then aD.note(a,b,-1)end
end
function aD.see(a,b)
local d,aw=z[a],dD(a,b)
bU[a]={
key=d.key,pages=d.pages,head=aw,base=cp(d,aw),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function aD.show(a,n)
local Z,t=bU[a],#n+1
local V,ab=Z.base,0
if Z.length>Z.head then Z.cuts[Z.head+1],Z.cuts[Z.length]=true,true end
n[t]=0
for R,ag in ipairs(eP(Z.cuts))do
if ag>Z.head and ag<=Z.length then
local q,bA=cb(Z,ag)
n[#n+1],n[#n+2]=q,cm(bA,V)
V,ab=bA,ab+1
end
end
n[t]=Z.is_whole and ab or-ab
end
function aD.divide(a)
local d=z[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=Y(ae(d.head/bq),d.pages,dZ)
d.kept=d.pages-d.dropped
local bP,W,dL=d.head-d.dropped*bq,d.tail,{}
if d.kept==0 then bP,W=0,string.sub(W,bP*aR+1)end
local ev=nil
while#W>ct do
if ev==nil then ev=d.is_apart or cX(d.key,"LRANGE",ct)end
if not ev then break end
dL[#dL+1],W=string.sub(W,1,ct),string.sub(W,ct+1)
end
d.pushed=dL
local fT=d.kept+#dL
return(fT>0 or d.shift~=0)and P(di,fT,bP,d.shift)or"",W
end
function aD.write(a,ad)
local d=z[a]
if d.is_apart and d.kept==0 then ac("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
ac("LTRIM",d.key,d.dropped,d.pages-1)
end
cw("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then ac("PEXPIRE",d.key,ad)end
end
function aD.rewind(a,ah)
z[a].shift,z[a].over=z[a].shift+ah,nil
end
aM[cK]=bg(aD)
local hy=aD.keep
function aD.keep(a,b,v)
if not hy(a,b,v)then return false end
ej(a,b,"LRANGE",ct)
return true
end
end
if aE or aU[eZ]then
local aG={is_reservable=true}
local function eq(aF,m)
while m~=0 do aF,m=m,aF%m end
return aF
end
function aG.define(b)
local dh=eq(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/dh,b.rate/dh
end
function aG.used(a,b)
local c,e,g=c[a],e[a],0
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bK,bI,bJ=c,e,g
function aG.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bK[a],bI[a],bJ[a]=c,e,g
end
function aG.reset_after(a,b)
local c,e,g,y=c[a],e[a],0,nil
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
return y
end
aG.queues=true
aM[eZ]=bg(aG)
end
if aE or aU[dk]then
function cW(a,b)
return(string.gsub(KEYS[es[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cQ(aT,al)
local H=redis.pcall(aT,al,0,0)
if not H.err then return H end
if not aH(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cX(al,aT,ao)
local H=cQ(aT,al)
if not H then return false end
if H[1]and#H[1]~=ao then return false end
if H[1]then ac("UNLINK",al)end
return true
end
local function ew(a,d,aT,ao)
local H=cQ(aT,d.key)
if not H or H[1]and#H[1]~=ao then return ce(a)end
return H[1]~=nil
end
local function cw(aT,al,cj)
for I=1,#cj,aX do
ac(aT,al,unpack(cj,I,Y(I+aX-1,#cj)))
end
end
local function bb(a)
return E(e[a],h)
end
local function eP(eM)
local bd={}
for al in pairs(eM)do bd[#bd+1]=al end
table.sort(bd)
return bd
end
local dl,dY,dt="<I7B",8,35184372088832
local dZ=128
local function co(K,q)
return bO("%.0f",(K-1)*dt+q)
end
local function em(o,eS)
local K=1
while o>0 do
if o%2==1 then eS(K)end
o,K=ae(o/2),K+1
end
end
local function gC(d,q)
local o,dv=0,E(0,d.floor+d.shift+1)
for K=1,d.sizes do
local bk=ac("ZCOUNT",d.key,co(K,dv),co(K,q+d.shift))
o=o+2^(K-1)*bk
end
return o
end
local function ho(d,u)
local bk={}
for K=1,d.sizes do bk[K]=P(dl,u,K)end
local p={units=0,id=u}
for K,r in ipairs(#bk>0 and ac("ZMSCORE",d.key,unpack(bk))or{})do
if r then
p.units=p.units+2^(K-1)
p.instant=tonumber(r)-(K-1)*dt-d.shift
end
end
return p.units>0 and p or nil
end
local function hA(d,aK)
for K=1,d.sizes do
local I,x,bl=co(K,aK+d.shift),co(K+1,-1),{}
for R,hg in ipairs(ac("ZRANGEBYSCORE",d.key,"("..I,x))do
bl[#bl+1],bl[#bl+2]=I,hg
end
cw("ZADD",d.key,bl)
end
end
local function hn(d)
local eg,L,H={},{},ac("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#H,2 do
local u,K=aa(dl,H[f])
local p=eg[u]or{units=0,id=u}
p.instant=tonumber(H[f+1])-(K-1)*dt-d.shift
p.units=p.units+2^(K-1)
if not eg[u]then eg[u],L[#L+1]=p,p end
end
return L
end
local function hM(d,hr,cM)
local bk,bl={},{}
for u,p in pairs(hr)do
em(p.units,function(K)bk[#bk+1]=P(dl,u,K)end)
end
for R,p in pairs(cM)do
em(p.units,function(K)
bl[#bl+1],bl[#bl+2]=co(K,p.instant+d.shift),P(dl,p.id,K)
end)
end
cw("ZREM",d.key,bk)
cw("ZADD",d.key,bl)
return#bl/2
end
local function gL(d,cM)
local am=dZ+cM
for K=1,d.sizes do
local I,x=co(K,0),co(K,E(-1,d.floor+d.shift))
local bk=am>0 and ac("ZRANGEBYSCORE",d.key,I,x,"LIMIT",0,am)or{}
cw("ZREM",d.key,bk)
am=am-#bk
end
end
local fa,bE="<i6I4I7",17
local gr=-dt
local dm=16
local T={holds_leases=true,keeps_list=true}
function T.open(a,b)
local al=cW(a,b)
local eu=z[a]and z[a].key==al and z[a].is_apart
z[a]={
key=al,is_apart=eu,shift=0,cuts={},kept={},sizes=0,floor=gr,
found={},removed={},added={},
}
return z[a]
end
function T.load(a,b)
local d,aC,r=T.open(a,b),cO[a],cS[a]or""
if#r%bE~=0 then return ce(a)end
local f=1
while f<=#r do
local p={}
p.instant,p.units,p.id,f=aa(fa,r,f)
d.kept[#d.kept+1]=p
end
if not aC then return end
d.sizes,d.floor,d.shift=aC[1],aC[2],aC[3]
d.is_apart,d.kept=true,nil
if ew(a,d,"ZRANGE",dY)or aJ[a]then return end
T.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bF}
end
local function fu(d,q)
if q<=d.floor then return 0 end
if not d.kept then return gC(d,q)end
local o=0
for R,p in ipairs(d.kept)do
if p.instant>q then break end
if p.instant>d.floor then o=o+p.units end
end
return o
end
local function ek(L,d,q)
local o=0
for R,p in pairs(L)do
if p.instant>d.floor and p.instant<=q then o=o+p.units end
end
return o
end
local function fv(d,q)
return fu(d,q)-ek(d.removed,d,q)+ek(d.added,d,q)
end
local function gD(a)
local d,q=z[a],bb(a)
if q<=d.floor then return 0 end
if d.over~=q then d.over,d.units_over=q,fv(d,q)end
return d.units_over
end
function T.used(a)
return c[a]-gD(a)
end
function T.advance(a)
c[a]=T.used(a)
z[a].floor=E(z[a].floor,bb(a))
end
local function gO(d,u)
for R,p in ipairs(d.kept)do
if p.id==u then return p end
end
end
local function gP(d,u)
if d.found[u]==nil then
d.found[u]=(d.kept and gO or ho)(d,u)or false
end
return d.found[u]or nil
end
local function fB(d,u)
local p=d.added[u]or not d.removed[u]and gP(d,u)or nil
return p and p.instant>d.floor and p or nil
end
local function bB(d,u)
local p=fB(d,u)
if not p then return 0 end
if d.added[u]then d.added[u]=nil else d.removed[u]=p end
return p.units
end
local function cL(a,u,o,q)
local d=z[a]
local s=bB(d,u)
d.added[u]={instant=q,units=s+o,id=u}
end
function T.charge(a,b,o,u)
T.advance(a)
e[a]=bb(a)
cL(a,u,o,e[a]+b.period)
c[a]=c[a]+o
end
T.settle=T.advance
function T.reset_after(a,b)
return T.used(a)==0 and 0 or e[a]+b.period-h
end
function T.begin(a,b,A,R,f)
T.open(a,b)
c[a],e[a],an[a],g[a]=0,f,nil,0
if A>0 then T.charge(a,b,A,bF)end
end
local function fn(av,ah,aK)
local L={}
for l,p in ipairs(av)do
L[l]={instant=Y(p.instant-ah,aK),units=p.units,id=p.id}
end
return L
end
function T.keep(a,b,v)
ej(a,b,"ZRANGE",dY)
T.advance(a)
local d,aK=z[a],bb(a)+b.period
if d.kept then d.kept=fn(d.kept,0,aK)
elseif b.period<v.period and not aJ[a]then hA(d,aK)
end
e[a]=bb(a)
return true
end
local function fQ(L,ah)
local fP={}
for u,p in pairs(L)do fP[u]={instant=p.instant-ah,units=p.units,id=u}end
return fP
end
function T.rewind(a,ah)
local d=z[a]
d.floor,d.over,d.found=d.floor-ah,nil,{}
d.added,d.removed=fQ(d.added,ah),fQ(d.removed,ah)
if d.kept then d.kept=fn(d.kept,ah,math.huge)else d.shift=d.shift+ah end
end
local function eI(a,u,t)
T.advance(a)
local d=z[a]
local p=fB(d,u)
if not p or p.units~=t then return false end
c[a]=c[a]-bB(d,u)
return true
end
local function fU(a,b,u,t)
local cT=eI(a,u,t)
if cT then T.charge(a,b,t,u)end
return cT
end
local function fy(a,eS)
for R,m in ipairs(az[a]or{})do
if F[m].algorithm==T then eS(m,F[m])end
end
end
function T.release(a,R,u,t)
fy(a,function(m)eI(m,u,t)end)
eI(a,u,t)
end
function T.renew(a,b,u,t)
if not fU(a,b,u,t)then return end
fy(a,function(m,fJ)
if not fU(m,fJ,u,t)then T.charge(m,fJ,t,u)end
end)
end
local function gN(a,b,o)
local d,aN,aY=z[a],bb(a),e[a]+b.period
for R,p in ipairs(d.kept or{})do
local cT=p.instant>d.floor and not d.removed[p.id]
if cT then o=o-p.units end
if cT and o<=0 then return p.instant end
end
if d.kept then return aY end
while aN+1<aY do
local bw=ae((aN+aY)/2)
if fv(d,bw)>=o then aY=bw else aN=bw end
end
return aY
end
function T.note(a,b,af)
local d=z[a]
if ak[a]and ak[a]>h then d.cuts[E(e[a],ak[a])]=true end
if af>=0 and T.used(a)>af then d.cuts[gN(a,b,c[a]-af)]=true end
end
function T.note_each(a)
bU[a].is_whole=true
end
function T.see(a,b)
local d=z[a]
bU[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=E(d.floor,bb(a)),
used=T.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function hi(Z)
local fZ,L=Z.found,{}
if Z.is_whole then fZ=Z.kept or hn(Z)end
for R,p in pairs(fZ)do
if p and p.instant>Z.floor then L[#L+1]=p end
end
table.sort(L,function(aF,m)return aF.instant<m.instant end)
return L
end
function T.show(a,n)
local Z,t,ab,V,cZ=bU[a],#n+1,0,0,1
local ez=hi(Z)
local function fX(q,o,u)
n[#n+1],n[#n+2],n[#n+3]=q,o,u
ab=ab+1
end
n[t],Z.cuts[Z.latest]=0,true
for R,cx in ipairs(eP(Z.cuts))do
if cx>Z.floor and cx<=Z.latest then
local bA=cx==Z.latest and Z.used or fu(Z,cx)
local D=bA-V
while ez[cZ]and ez[cZ].instant<=cx do
local p=ez[cZ]
fX(p.instant,p.units,p.id)
D,cZ=D-p.units,cZ+1
end
if D>0 then fX(cx,D,-2-ab)end
V=bA
end
end
n[t]=ab
end
local function ar(d)
local L={}
for R,p in ipairs(d.kept)do
if p.instant>d.floor and not d.removed[p.id]then L[#L+1]=p end
end
for R,p in pairs(d.added)do L[#L+1]=p end
return L
end
function T.divide(a)
local d,H=z[a],{}
if not d.kept and c[a]==ek(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local L=ar(d)
if#L<=dm or not(d.is_apart or cX(d.key,"ZRANGE",dY))then
for l,p in ipairs(L)do H[l]=P(fa,p.instant,p.units,p.id)end
return"",table.concat(H)
end
d.moved=L
end
for R,p in pairs(d.moved or d.added)do
em(p.units,function(K)d.sizes=E(d.sizes,K)end)
end
return P(di,d.sizes,d.floor,d.shift),""
end
function T.write(a,ad)
local d=z[a]
if d.kept and d.is_apart then ac("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cM=hM(d,d.removed,d.moved or d.added)
if not d.kept then gL(d,cM)end
ac("PEXPIRE",d.key,ad)
end
aM[dk]=T
end
if aE or eA then
local dd,bB=string.rep,table.remove
local hK,hC=c,e
local function dK(a)
return E(e[a],h)
end
local function dI(a,ah)
local k={unpack(z[a].shares)}
for l=1,#k,ai do k[l]=k[l]-ah end
z[a]={shares=k}
return k
end
local function fx(a)
local k,q=z[a].shares,dK(a)
if not k[1]or k[1]>q then return end
k=dI(a,0)
while k[1]and k[1]<=q do
for R=1,ai do bB(k,1)end
end
end
local function dS(a,q)
local k,o=z[a].shares,0
for l=1,#k,ai do
if k[l]>q then o=o+k[l+1]end
end
return o
end
local function da(a)
z[a]={shares={}}
end
local function hf(a)
local r=cS[a]or""
local t=#r/fh
if t%1~=0 or t>dn then return ce(a)end
local k={aa(dd(ds,t),r)}
k[#k]=nil
z[a]={shares=k}
end
local function gJ(a)
local k=z[a].shares
return"",P(dd(ds,#k/ai),unpack(k))
end
local function hx(a)
bU[a]=z[a].shares
end
local function eO(a,n)
local k,f=bU[a],#n+1
n[f]=#k/ai
for l=1,#k do n[f+l]=k[l]end
end
local function gQ(a,b)
if dS(a,dK(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],an[a],g[a]=dS(a,0)*b.counts_per_unit,nil,0
return true
end
local function eJ(a,b,f,am,bZ)
b.algorithm.advance(a,b)
local k,ap=dI(a,0),0
local bT,cf=0,0
for dg=1,am+bZ do
local eK,o,l=O[f],O[f+1],ai
while k[l]and k[l]~=eK do l=l+ai end
if k[l]then
local s=k[l-1]
local cr=Y(s,o)
local aB=dg>am and 0 or cr
k[l-1],ap,cf=aB,ap-s+aB,cf+s-cr
if dg>am then bT=bT+cr end
for R=1,aB==0 and ai or 0 do bB(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bT*b.counts_per_unit
g[a]=g[a]+cf*b.counts_per_unit
end
local function he(a,b,u,bX)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ap,A=dI(a,0),dS(a,0),i.used(a,b)
local ck=i.lent_until(a,b)
local o=0
if bX>0 and#k<ai*dn then
local er=ae(b.capacity_ticks/b.ticks_per_unit/2)
o=Y(bX,aq(ae((b.capacity_ticks-A)/b.ticks_per_unit)/2),er-ap)
end
if o>0 then
local L,q=o,E(ck,k[#k-2]or ck)
for l=#k,ai,-ai do
if k[l]==u then
L=L+k[l-1]
for R=1,ai do bB(k,l-2)end
end
end
local x=#k
k[x+1],k[x+2],k[x+3]=q,L,u
ap=ap+o
else
o=0
end
c[a]=c[a]+o*b.counts_per_unit
return o
end
local function eB(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=da,hf,gJ,hx,eO,dI
i.forget,i.report,i.lend=gQ,eJ,he
return bg(i)
end
local aG={base=aM[by],is_reservable=true,define=aM[by].define}
local function ef(a,b)
local c,e,k=hK[a],hC[a],z[a].shares
local ar=dS(a,0)*b.ticks_per_unit
local l,bb=1,E(h,e)
while l<#k and k[l]<=bb do
local q=k[l]
if q>e then
c,e=E(ar,c-(q-e)*b.refill_per_ms),q
end
ar,l=ar-k[l+1]*b.ticks_per_unit,l+ai
end
if h>e then c,e=E(ar,c-(h-e)*b.refill_per_ms),h end
return c,e,ar
end
function aG.used(a,b)
return(ef(a,b))
end
function aG.advance(a,b)
local ar
c[a],e[a],ar=ef(a,b)
g[a]=Y(g[a],c[a]-ar)
fx(a)
end
function aG.reset_after(a,b)
local k,y=z[a].shares,nil
local c,e,ar=ef(a,b)
local bS,q=c,e
for l=1,#k,ai do
if k[l]>e then
bS=E(ar,bS-(k[l]-q)*b.refill_per_ms)
q,ar=k[l],ar-k[l+1]*b.ticks_per_unit
end
end
y=bS<=0 and 0 or q+aq(bS/b.refill_per_ms)-h
return y
end
function aG.lent_until(a,b)
return dK(a)+b.share
end
local function fM(aP)
local i=setmetatable({base=aP},{__index=aP})
function i.advance(a,b)
aP.advance(a,b)
fx(a)
end
function i.lent_until(a,b)
return Y(dK(a)+b.share,e[a]+b.period)
end
return i
end
aM[dW]=eB(aG)
aM[dU]=eB(fM(aM[aj]))
aM[dV]=eB(fM(aM[ch]))
end
for R,b in ipairs(aV)do fm(b)end
local ex=aE or aU[cK]or aU[dk]or eA
for I=1,#Q,aX do
local x,bd=Y(I+aX-1,#Q),{}
for l=I,x do bd[#bd+1]=KEYS[Q[l]]end
if ac("EXISTS",unpack(bd))>0 then
for l=I,x do
if ac("EXISTS",KEYS[Q[l]])==1 then ce(Q[l])end
end
end
end
for R,a in ipairs(Q)do
if not aJ[a]then F[a].algorithm.begin(a,F[a],0,0,h)end
end
if aE then
local gq=7
local function eH(G)
local eV={}
for hL in string.gmatch(G or"","[^,\\n]+")do eV[#eV+1]=tonumber(hL,36)or false end
local i,bg,ba,bs,cP,hD=unpack(eV)
local cu=aM[i]
if not(cu and bg and ba)then return nil end
bs=bs or bg
local b=eG(G,i,bg,ba,1,0,0,0)
b.max_reserved,b.start=cP or nil,hD or nil
if cu.define then cu.define(b)end
b.capacity_ticks=bs*b.ticks_per_unit
if cu.is_reservable and bg>0 then
local af=(cu.most_counts and cu.most_counts(b)or at)-b.capacity_ticks
b.debt_ticks=cP and Y(cP*b.ticks_per_unit,af)or af
end
fm(b)
return b
end
local dE=au
local function dG(a)
dE=dE+1
es[dE]=a
return dE
end
local function gI(a,r)
local L=cmsgpack.unpack(r)
if type(L[1])=="number"then be[a]=table.remove(L,1)end
gd(a,L)
az[a]=#L>0 and{}or nil
for l,hE in ipairs(L)do
local m,G,aC=dG(a),nil,nil
G,c[m],e[m],g[m],an[m],aW[m],aC,cS[m]=
unpack(hE)
if an[m]==0 then an[m]=nil end
local b=assert(eH(G))
F[m],az[a][l]=b,m
if aC~=""then cO[m]={aa(di,aC)}end
if b.algorithm.load then b.algorithm.load(m,b)end
assert(not aJ[m])
end
end
function fz(a)
local L,aK={be[a]},E(h,be[a]or 0)
L[#L+1]=aA[a]
for R,m in ipairs(az[a]or{})do
local b,aC,cR=F[m],"",""
aK=E(aK,aW[m])
if b.algorithm.divide then aC,cR=b.algorithm.divide(m)end
L[#L+1]={
b.definition,c[m],e[m],g[m],an[m]or 0,aW[m],aC,cR,
}
end
return cmsgpack.pack(L),aK-h
end
function gk(a,ad)
for R,m in ipairs(az[a]or{})do
local i=F[m].algorithm
if i.write then i.write(m,ad)end
end
end
local function gH(a)
local v=eH(string.match(bi[a],"^[^\\n]*\\n"))
if not v or not fw(a,#v.definition)then return nil end
if cH[a]and not pcall(gI,a,cH[a])then return nil end
return v
end
local function ei(A,v,b)
if v.ticks_per_unit==b.ticks_per_unit then return A end
local o=ae(A/v.ticks_per_unit)
local df=(A-o*v.ticks_per_unit)/v.ticks_per_unit
return o*b.ticks_per_unit+Y(b.ticks_per_unit,aq(df*b.ticks_per_unit))
end
local function fO(A,v,b)
return b.capacity_ticks+Y(ei(E(0,A-v.capacity_ticks),v,b),b.debt_ticks)
end
local function eL(aF,m)
return(aF.base or aF)==(m.base or m)
end
local function hh(a,b,v)
local dH,cY=v.algorithm,b.algorithm
if eL(dH,cY)and cY.keep(a,b,v)then
if dH.base or cY.base then z[a]=cY.base and{shares={}}or nil end
return
end
dH.advance(a,v)
local A=dH.used(a,v)
local av=Y(ei(A,v,b),fO(A,v,b))
local da=Y(av,ei(g[a]*v.ticks_per_unit/v.counts_per_unit,v,b))
z[a]=nil
cY.begin(a,b,av,da,E(h,e[a]))
end
local function eC(b)
if b.rate==0 then return 2*b.period end
return b.period*E(2,aq(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function fs(aF,m)
c[m],e[m],g[m],an[m]=c[aF],e[aF],g[aF],an[aF]
end
local function ft(aF,bN)
for dw,B in pairs(aF)do
if bN[dw]==nil then bN[dw]=B end
end
return bN
end
local function fr(T,aK)
local fp={}
for u,p in pairs(T or{})do
fp[u]={instant=Y(p.instant,aK),units=p.units,id=u}
end
return fp
end
function ej(a,b,hm,ao)
local d,aK=z[a],E(e[a],h)+b.period
local bN=ft(d,{
key=cW(a,b),is_beside=false,cuts={},found={},
removed=fr(d.removed,aK),added=fr(d.added,aK),
})
z[a]=bN
if not bN.is_apart or bN.key==d.key then return end
if not cX(bN.key,hm,ao)then return ce(a)end
ac(d.is_beside and"COPY"or"RENAME",d.key,bN.key)
end
local function fq(a,v,b)
local m=dG(a)
F[m],z[m]=v,z[a]
if z[a]then
z[a].is_beside=true
z[a]=ft(z[a],{})
end
fs(a,m)
aW[m]=Y(h+E(v.algorithm.reset_after(m,v),eC(v),eC(b)),at)
return m
end
local function dN(a,b)
if e[a]-h<b.period then return 0 end
local S=b.algorithm.is_aligned and b.period or 1
local ah=ae((e[a]-h)/S)*S
e[a],ak[a]=e[a]-ah,ak[a]and E(0,ak[a]-ah)
local J=aA[a]
if J then aA[a]={J[1],E(0,J[2]-ah),J[3],E(0,J[4]-ah)}end
if z[a]then b.algorithm.rewind(a,ah)end
return ah
end
local function el(D)
local av={}
for R,m in ipairs(D or{})do
aW[m]=aW[m]-dN(m,F[m])
if aW[m]>h then av[#av+1]=m end
end
return av
end
local ea="1,0,eiz5s00,gjdgxs\\n"
local function eE(D)
for l,m in ipairs(D or{})do
if F[m].definition==ea then return m,l end
end
end
local function hj(a)
local J=dG(a)
F[J]=eH(ea)
c[J],e[J],an[J],g[J],aW[J]=0,h,0,0,0
return J
end
local function gx(a,v,D)
local J,l=eE(D)
if J then table.remove(D,l)else J=hj(a)end
local A,cB=v.algorithm.used(a,v),v.ticks_per_unit
c[J]=E(c[J],aq(A/cB))
an[J]=E(an[J]or 0,aq((A-v.capacity_ticks)/cB))
aW[J]=E(aW[J],Y(h+v.algorithm.reset_after(a,v),at))
D[#D+1]=J
end
local function gE(a,b)
local J=eE(az[a])
if not J then return end
local i,cB=b.algorithm,b.ticks_per_unit
local cP=Y((an[J]or 0)*cB,b.debt_ticks)
local A=Y(c[J]*cB,b.capacity_ticks+cP)
local cF=A-i.used(a,b)
if cF<=0 then return end
if i.holds_leases then return i.charge(a,b,cF,h)end
i.advance(a,b)
i.begin(a,b,A,g[a]*cB/b.counts_per_unit,E(h,e[a]))
end
local function fF(D)
return#D-(eE(D)and 1 or 0)>=gq
end
local function hH(a,b,v,D)
if v.algorithm.reset_after(a,v)>0 then
if fF(D)then gx(a,v,D)
else D[#D+1]=el({fq(a,v,b)})[1]end
end
az[a]=#D>0 and D or nil
hh(a,b,v)
gE(a,b)
end
local function hF(a,b,v,D,dC)
dN(a,v)
local m=table.remove(D,dC)
D[#D+1]=fq(a,v,b)
az[a]=D
fs(m,a)
z[a]=z[m]
end
local function et(D,b)
for l,m in ipairs(D)do
if F[m].definition==b.definition then return l end
end
end
local function eh(a,b,v)
local D=el(az[a])
local dC=et(D,b)
if dC then hF(a,b,v,D,dC)else hH(a,b,v,D)end
end
local de={}
local fb=2147483647
local function cU(a,v,b)
local i=b.algorithm
if(be[a]or 0)<=h or i.base then return false end
return eL(v.algorithm,i)or eL(v.algorithm,aM[by])and not i.holds_leases
end
local function hJ(b)
if b.max_reserved then return 0 end
local i,dA=b.algorithm,fb*b.refill_per_ms
if i.is_aligned then dA=ae(fb/b.period)*b.rate
elseif i.queues then dA=E(0,dA+b.ticks_per_unit-b.capacity_ticks)
end
return E(0,b.debt_ticks-dA)
end
local function cN(a,q)
aL=aL or{}
aL[a]=q
end
local function hs(a,b,v)
de[a]={plan=b,anchor=aL and aL[a]or 0,own=v}
v.unreservable=hJ(v)
if v.definition~=b.definition then F[a]=v end
cN(a,e[a])
end
local function hB(a,n,as)
local D,aI=az[a]or{},de[a].plan
local l=et(D,aI)
local gV=l and aW[D[l]]>be[a]
for R,m in ipairs(D)do
local G,x=F[m].definition,#n
local fW=G==aI.definition and 0 or G==ea and 1 or 2
if fW<2 or not gV then
n[as]=n[as]+1
n[x+1],n[x+2],n[x+3]=fW,c[m],e[m]
n[x+4],n[x+5],n[x+6]=g[m],an[m]or 0,aW[m]
end
end
end
function fY(a,n)
local cd,f=de[a].own,#n
n[f+1],n[f+2],n[f+3],n[f+4]=be[a],cd.kind,cd.rate,cd.period
n[f+5]=cd.capacity_ticks/cd.ticks_per_unit
n[f+6],n[f+7]=cd.max_reserved or-1,cd.start or-at
n[f+8]=0
local hc=cd.algorithm.keeps_list or de[a].plan.algorithm.keeps_list
if not hc then hB(a,n,f+8)end
end
local function hb(a,b,eb,aw)
local D=az[a]or{}
local l=et(D,b)
if not l and fF(D)then return end
local m=l and table.remove(D,l)or dG(a)
if not l then
F[m]=b
cN(m,eb)
b.algorithm.begin(m,b,0,0,h)
end
aW[m]=Y(at,E(aW[m]or 0,aw+eC(b)))
D[#D+1],az[a]=m,D
end
function fR(a,b,ah)
local s,eb=de[a],aL and aL[au+1]or 0
local aI,ee=F[a],aL and aL[a]or 0
if s then
aI,ee=s.plan,s.anchor
cN(a,ee)
be[a]=nil
if s.own.definition~=aI.definition then eh(a,aI,F[a])end
F[a]=aI
end
if ah>0 then
if b.definition~=aI.definition then
cN(a,eb)
eh(a,b,aI)
F[a]=b
hb(a,aI,ee,h+ah)
end
be[a]=h+ah
cN(a,e[a])
end
dN(a,F[a])
end
function cv(a,b)
local gU=e[a]>h and c[a]==0 and(an[a]or 0)==0 and(ak[a]or 0)<=h
if gU then b.algorithm.begin(a,b,0,0,h)end
end
local function hq(a,b)
local v=gH(a)
if not v then return ce(a)end
local aB=cU(a,v,b)
if aB then hs(a,b,v)end
local fI=aB or v.definition==b.definition
if fI and e[a]<=h then return end
if v.algorithm.load then v.algorithm.load(a,v)end
if aJ[a]then return end
if not aB then be[a]=nil end
if not fI then eh(a,b,v)end
dN(a,F[a])
cv(a,F[a])
aS[a]=true
end
function cE(a,b,t,p)
local D=el(az[a])
az[a]=#D>0 and D or nil
local A=b.algorithm.used(a,b)
for R,m in ipairs(D)do
local cq,o=F[m],t
if p==bF or not cq.algorithm.holds_leases then
local hu=fO(A,b,cq)-cq.algorithm.used(m,cq)
o=Y(t,ae(hu/cq.ticks_per_unit))
end
if o>0 then cq.algorithm.charge(m,cq,o,p~=bF and p or h)end
end
end
for R,a in ipairs(aE)do hq(a,F[a])end
end
for a=1,ex and au or 0 do
local b=F[a]
if b.algorithm.load and not aJ[a]then
if not z[a]then b.algorithm.load(a,b)end
if not aJ[a]then b.algorithm.see(a,b)end
end
end
local n,dP={h,0},{}
for a=1,au do
local f=dp+dr*(a-1)
local cV,dB=c[a],g[a]
if F[a].algorithm.note and not aJ[a]then
cV=F[a].algorithm.used(a,F[a])
dB=Y(dB,cV)
end
n[f+1],n[f+2]=cV,h-e[a]
if dB~=cV and not aJ[a]then dP[a]=cV-dB end
end
local ec=#n+1
n[ec]=0
if next(dP)or next(an)or next(ak)or next(be)or next(aA)then
for a=1,au do
local cU,J,br=(be[a]or 0)>h,aA[a],ak[a]or 0
if dP[a]or an[a]or ak[a]or cU or J then
local f,as=#n,cU and-a or a
n[ec]=n[ec]+1
n[f+1],n[f+2],n[f+3],n[f+4]=as,dP[a]or 0,an[a]or 0,br
if J then
n[f+4]=-1-br
n[f+5],n[f+6],n[f+7],n[f+8]=unpack(J,1,fg)
end
if cU then fY(a,n)end
end
end
end
local M=0
local db
local function fD(a,b,A,af)
local gT=ak[a]and ak[a]>h
return not gT and b.algorithm.used(a,b)+A<=af
end
local function cy(a,b,A,af)
if aE then cv(a,b)end
if aJ[a]then return false end
if fD(a,b,A,af)then return true end
local i=b.algorithm
if i.note then i.note(a,b,af-A)end
return false
end
local function eQ(a,b,t,p)
b.algorithm.charge(a,b,t,p)
if az[a]then cE(a,b,t,p)end
aS[a]=true
end
local function gc(a)
local b=F[a]
if not cy(a,b,b.ticks_per_unit,b.capacity_ticks)then
return db and db({a})
end
eQ(a,b,1,bF)
M=M+1
end
if not O then
for a=1,au do gc(a)end
else
local function br(a,b,i,ah)
i.advance(a,b)
local aB=i.is_aligned or i.holds_leases and c[a]>0
if not aB then e[a]=E(e[a],h)end
ak[a]=E(e[a],h)+ah
local J=aA[a]
if J and J[1]==0 then aA[a]={0,0,J[3],J[4]}end
end
local function gR(a)
local dc,aw,cz,bt=unpack(aA[a]or{0,0,0,0})
if dc>0 or aw<=h then aw=0 end
if bt<=h then cz,bt=0,0 end
aA[a]=(aw>0 or cz>0)and{0,aw,cz,bt}or nil
end
local function gb(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function ht(a,b,i)
if ak[a]and ak[a]<=h then ak[a]=nil end
gR(a)
local ap={}
for R,m in ipairs(az[a]or{})do
if aW[m]>h and gb(m,F[m])then ap[#ap+1]=m
else bt[#bt+1]=z[m]
end
end
az[a]=#ap>0 and ap or nil
if not gb(a,b)then i.begin(a,b,0,0,h)end
end
local function gA(a,i,ag,ah)
if i.show then i.show(a,n)end
ex=false
fR(a,aV[ag],ah)
end
local function bL(S,a,I,dO)
local b=F[a]
local i=b.algorithm
if aJ[a]then return end
if aE then cv(a,b)end
if S==gu then i.settle(a,b,I,dO)
elseif S==gt then ht(a,b,i)
elseif S==gm then br(a,b,i,I)
elseif S==gw then ak[a],aA[a]=nil,nil
elseif S==fd then gA(a,i,I,dO)
elseif S==gs and i.holds_leases then i.release(a,b,I,dO)
elseif S==ff and i.holds_leases then i.renew(a,b,I,dO)
end
if aE then cv(a,F[a])end
aS[a]=true
end
local dJ={}
if bh and bh.penalties then
local gp=35
local function gy(a,eU)
local dc,aw,cz,bt=unpack(aA[a]or{0,0,0,0})
if aw<=h then dc=0 end
if dc==0 then aw=h+eU end
if bt<=h then cz,bt=0,0 end
return{dc+1,aw,cz,bt}
end
local function gF(a)
local R,dv,eU,cl,fN=unpack(O,dJ[a],dJ[a]+bD[fe]-1)
if dv==0 or(ak[a]or 0)>h then return end
local J,b=gy(a,eU),F[a]
aA[a],aS[a]=J,true
if J[1]<dv then return end
br(a,b,b.algorithm,Y(cl*2^J[3],fN))
aA[a]={0,ak[a],Y(J[3]+1,gp),ak[a]+fN}
end
function db(cD)
for R,a in ipairs(cD)do
if aJ[a]then return end
end
for R,a in ipairs(cD)do
if dJ[a]then gF(a)end
end
end
end
local function fk(f,bp)
if bp==1 then return O[f],1,0,0,bF end
return unpack(O,f,f+bp-1)
end
local function eR(I,x,bp,fH)
local fi,cD=not fH,{}
for f=I,x,bp do
local a,t,cn,bQ=fk(f,bp)
local b=F[a]
if cn==1 and b.unreservable then bQ=b.unreservable end
local af=cn==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not cy(a,b,E(1,t)*b.ticks_per_unit+bQ,af)then fi,cD[#cD+1]=false,a end
end
if db and not fH then db(cD)end
for f=I,fi and x or 0,bp do
local a,t,R,R,p=fk(f,bp)
if t>0 then eQ(a,F[a],t,p)end
M=M+1
end
end
local function eO(a,o)
local i=F[a].algorithm
if i.note_each and not aJ[a]then i.note_each(a,F[a],o)end
end
local function gK(f)
local a,t,cn,u,bX,am,bZ=unpack(O,f+1,f+bD[cs])
local b=F[a]
local i=b.algorithm
if aJ[a]then return end
if aE then cv(a,b)end
if am+bZ>0 then
local eJ=i.report or i.advance
eJ(a,b,f+1+bD[cs],am,bZ)
aS[a]=true
end
local af=cn==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not fD(a,b,E(1,t)*b.ticks_per_unit,af)then return end
if t>0 then eQ(a,b,t,bF)end
local o=i.lend and i.lend(a,b,u,bX)or 0
if o>0 and az[a]then cE(a,b,o,bF)end
aS[a],M=true,M+1+o
end
local f,x=1,#O
while f<=x do
local S,bp=O[f],gj(f)
if S>0 then gc(S)
elseif S==ci then eR(f+1+bD[ci],f+bp-1,dj)
elseif S==du then eR(f+1+bD[du],f+bp-1,1)
elseif S==dX then eR(f+1+bD[dX],f+bp-1,dj,true)
elseif S==cs then gK(f)
elseif S==fe then dJ[O[f+1]]=f+1
elseif S==gv then eO(O[f+1],O[f+2])
else bL(S,O[f+1],O[f+2],O[f+3])
end
f=f+bp
end
end
for a=1,ex and au or 0 do
local i=F[a].algorithm
if i.show and not aJ[a]then i.show(a,n)end
end
local function gM(a,D)
local G,c,e,g=F[a].definition,c[a],e[a],g[a]
local s,br,j,cC,r,aC,cR=an[a],ak[a]or 0,0,"",nil,"",""
local i,aO=F[a].algorithm,nil
if i.divide then aC,cR=i.divide(a)end
if br~=0 then j,cC=dT,P(eW,br)end
if D~=""then j,cC=j+eY,cC..P(fc,#D,D)end
if aC~=""then j,cC=j+eX,cC..aC end
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local ay,w="<c0Bi6I3",""
if c>=1099511627776 then ay,j="<c0Bi6I7",j+2
elseif c>=16777216 then ay,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(ay,G,j,e,c)..w
end
return r..cC..cR
end
local function hv(a)
local b,al,D,gh=F[a],KEYS[a],"",0
local s,br=an[a]or 0,ak[a]or 0
local y,J=b.algorithm.reset_after(a,b),aA[a]
local gi=J and E(J[2],J[4])-h or 0
if J and gi<=0 and aZ==0 then aA[a]=nil end
if az[a]or be[a]then D,gh=fz(a)
elseif aA[a]then D=cmsgpack.pack({aA[a]})
end
y=E(y,br-h,gh,gi)
if not(y>0 or aZ>0 and(c[a]>0 or s>0 or br>0 or J))then
if z[a]and z[a].is_apart then ac("UNLINK",z[a].key)end
return ac("DEL",al)
end
local ad
ad=bO("%d",(y<at and y or at)+aZ)
ac("PSETEX",al,ad,gM(a,D))
if b.algorithm.write then b.algorithm.write(a,ad)end
if az[a]then gk(a,ad)end
end
local function hw()
for a=1,au do
if aS[a]and not aJ[a]then hv(a)end
end
for R,d in ipairs(bt)do
if d.is_apart then ac("UNLINK",d.key)end
end
end
local gZ,U=pcall(hw)
if not gZ then
local r=type(U)=="table"and U.err or U
M=nil
for l,bM in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aH(r,bM,1,true)then M=-l end
end
local bc=aH(r,"READONLY ",1,true)
if bc then return{err=string.sub(r,bc)}end
if not M then error(U,0)end
end
n[cJ]=M
return n
`,
} as const;

/** The script of the register. */
export const REGISTER_SCRIPT = {
  sha1: "55367ff1cf39a7c235812e32817d14047a422ce9",
  source: `local a,h=redis.call,string.format
local k,g,c=KEYS[1],KEYS[2],KEYS[3]
local o,b,l=ARGV[1],ARGV[3],ARGV[4]
local function w()
if ARGV[2]~=""then return tonumber(ARGV[2])end
local n=a("TIME")
return n[1]*1000+math.floor(n[2]/1000)
end
local function y(i)
local d=a("HGET",g,i)
return d and string.match(d,"^%d+")
end
local function m(j)
if#j==0 then return end
a("ZREM",k,unpack(j))
a("ZREM",c,unpack(j))
a("HDEL",g,unpack(j))
end
local function x(f)
local t=math.max(f+ARGV[6],a("ZSCORE",c,b)or 0)
a("ZADD",k,0,b)
a("HSET",g,b,h("%s %.0f %s",l,f,ARGV[5]))
a("ZADD",c,h("%.0f",t),b)
m(a("ZRANGEBYSCORE",c,"-inf",h("%.0f",f),"LIMIT",0,10))
local v=a("ZRANGE",c,-1,-1,"WITHSCORES")[2]-f
for p,s in ipairs(KEYS)do a("PEXPIRE",s,h("%.0f",v))end
end
local function u()
local q,r,e="("..b,"("..l,{}
for p,i in ipairs(a("ZRANGEBYLEX",k,q,r,"LIMIT",0,ARGV[5]))do
local d=a("HGET",g,i)
if d then
e[#e+1]=i
e[#e+1]=d
end
end
return e
end
if o=="list"then return u()end
if o=="put"then x(w())
elseif y(b)==l then m({b})end
return""
`,
} as const;
