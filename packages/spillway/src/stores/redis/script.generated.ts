/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "c3467cdf110fed8de780e308b59ce9882cee13e4",
  source: `local P,aa,bO,aH,hP=struct.pack,struct.unpack,string.format,string.find,string.byte
local ad,bW,Y,E,af,aq=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local au=4503599627370496
local aX=4000
local bF=0
local by,ai,ch,cI,eY,dj,dV,dT,dU,ci,gs,gr,gj,gu,gp,fe,fc,fd,cs,dt,dW,gt,di,dn,dq,dp,gq,hO,hN,hL,hM,cH=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-13,-11,-8,-9,-10,5,2,2,4,4,8,6,2,3,2
local bR=ARGV[4]
local h,aZ=tonumber(ARGV[bR and 9 or 3]),3600000
if not h then
local gd=ad("TIME")
h,aZ=gd[1]*1000+af(gd[2]/1000),0
end
local bj,bG,bx,dS,eX,eW=4,8,16,32,64,128
local eV="<I7"
local fb="<I4c0"
local dh="<I4i7i6"
local dr,ff,ah,dm="<i6I4I7",17,3,256
local ec=bit.band
local function eF(
G,i,bg,ba,cG,refill_per_ms,capacity_ticks,debt_ticks,az,cD
)
return{
numbers=az,bytes=#G+(i<ai and 16 or 10),
definition=G,kind=i,rate=bg,period=ba,ticks_per_unit=cG,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cD,
}
end
local av=#KEYS
local aV,bh,bi,bf,aL,O
if not bR then
aV=cjson.decode(ARGV[1])
for l=1,#aV do aV[l]=eF(unpack(aV[l]))end
if ARGV[2]and ARGV[2]~=""then bh=cjson.decode(ARGV[2])end
if bh then bf,aL,O=bh.owners,bh.anchors,bh.steps end
bi=ad("MGET",unpack(KEYS,1,Y(av,aX)))
for I=aX+1,av,aX do
local fm=ad("MGET",unpack(KEYS,I,Y(I+aX-1,av)))
for l=1,#fm do bi[I+l-1]=fm[l]end
end
end
if bR or bh and bh.leases then
local bE,dl=17,16
local gk=10
local cg,N,M,U,f=string.sub,true,0,nil,1
local G,dw,ao,ba,bs,B,c,e,I,S,u,t,bQ
local bz,bC,dx,r,ae
local bm,w,ab,H,cc,Q
if bR then
G,dw,ba,bs,S,u,t,bQ=unpack(ARGV)
ao,ba,bs,S,u=#G+10,ba+0,bs+0,S+0,u+0
t,bQ=(t or 1)+0,(bQ or 0)+0
local fA=bW("GET",KEYS[1])
N=type(fA)~="table"
bi={N and fA}
else
bm,w,ab,H,cc,Q={h,0},{},{},{},{},{}
end
for a=1,N and av or 0 do
if not bR then
local b=aV[bf and bf[a]or 1]
G,dw,ao,ba,bs=b.definition,b.numbers,b.bytes,b.period,b.capacity_ticks
S,t=O[f],O[f+3]
if S==ci then bQ,u,f=O[f+5],O[f+6],f+2+di
else u,f=O[f+2],f+4
end
end
B,c,e,I=bi[a]or"",0,h,1
if B~=""then
local cl,bP,j=#B-ao,nil,nil
N=cl>0 and cl<=dl*bE and cl%bE==0
if N then
bP,j,e,c,I=aa(dw,B)
N=bP==G and j==bj and e<=h
local q,o=aa("<i6I4",B,I)
while q and q<=h do
c,I,q=c-o,I+bE,nil
if I<#B then q,o=aa("<i6I4",B,I)end
end
end
end
if N then
local W,aK,dK,al=cg(B,I),e+ba,0,nil
bz,bC,dx,r,ae=nil,0,-2,nil,nil
if S==ci then
local ac=bs-E(1,t)-bQ
if c<=ac then
M=M+1
if t>0 then
dK,al=t,c+t
N=#W<dl*bE and al<16777216 and not aH(W,P("<I7",u),1,true)
end
elseif ac>=0 then
local at,cE=1,c-ac
while at<#W do
local q,o=aa("<i6I4",W,at)
if cE<=0 and q>bz then break end
bz,bC,cE,at=q,bC+o,cE-o,at+bE
end
end
else
al=c
local at=aH(W,P("<I7",u),1,true)
if at then
at=at-gk
N=at%bE==1
if N then bz,bC,dx=aa("<i6I4I7",W,at)end
if N and bC==t then
W=cg(W,1,at-1)..cg(W,at+bE)
if S==fe then dK=t else al=c-t end
end
end
end
if al then
local z=nil
if dK>0 then
z=ba
r=P("<c0Bi6I3c0i6I4I7",G,bj,h,al,W,h+ba,dK,u)
elseif al==0 then
r=""
else
r=P("<c0Bi6I3c0",G,bj,e,al,W)
if aZ>0 then z=aK-h end
end
if z then
ae=bO("%d",(z<au and z or au)+aZ)
end
end
end
if not N then break end
if not bR then
local x=#bm
bm[x+1],bm[x+2],H[a],cc[a]=c,h-e,r,ae
if c>0 then
x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c,0,0
end
x=#ab
ab[x+1]=(bz and 1 or 0)+(c>bC and 1 or 0)
if bz then ab[x+2],ab[x+3],ab[x+4]=bz,bC,dx end
if c>bC then
local de=#ab
ab[de+1],ab[de+2],ab[de+3]=e+ba,c-bC,bz and-3 or-2
end
if not bi[a]then Q[#Q+1]=KEYS[a]end
end
end
if Q and Q[1]and N then
N=#Q<=aX and ad("EXISTS",unpack(Q))==0
end
if N then
for a=1,av do
if not bR then r,ae=H[a],cc[a]end
if r and not U then
local aQ
if r==""then aQ=bW("DEL",KEYS[a])
elseif ae then aQ=bW("SET",KEYS[a],r,"PX",ae)
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
return bO("%d,%d,%d,%d,%d,%d,%d",h,M,c,h-e,bz,bC,dx)
end
bm[cH],bm[#bm+1]=M,#w/dp
for f=1,#w do bm[#bm+1]=w[f]end
for f=1,#ab do bm[#bm+1]=ab[f]end
return bm
elseif bR then
aV={eF(G,dj,bs,ba,1,0,bs,0,dw)}
O=S==ci and{ci,1,1,t,0,bQ,u}or{S,1,u,t}
bi=ad("MGET",KEYS[1])
end
elseif not bh or bh.takes_units then
local N,Q,n,M,w,U=true,nil,{h,0},0,nil,nil
local H,cc={},{}
local F,bo,bV,bn,ca,ex,aS
if O then
F,bo,bV,bn,ca,ex,aS={},{},{},{},{},{},{}
end
for a=1,av do
local b,B=aV[bf and bf[a]or 1],bi[a]
local G,i,c,e,g,s,aw=b.definition,b.kind,0,h,0,nil,nil
if B then
local z,bP,j=nil,nil,nil
if#B==b.bytes then bP,j,e,c,aw=aa(b.numbers,B)end
if bP==G and j==0 then
g=c
elseif aH(B,G,1,true)==1 then
local f=#G+1
aw=nil
local ao,j=#B-f,nil
if ao>=9 then
j,e,c=aa("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local L=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*L+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if L>0 then c,f=aa(L==1 and"<I5"or"<I7",B,f-3)end
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
if i>=ai and N then
if i<ai then
z=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==ai then
z=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
aw=z>0 and h+z or nil
end
else
Q=Q or{}
Q[#Q+1]=KEYS[a]
if i>=ai then e=h-(h-(aL and aL[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cI then N=false end
if not N then break end
local f=dn+dq*(a-1)
n[f+1],n[f+2]=c,h-e
if s or g~=c then
w=w or{}
local x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c-g,s or 0,0
end
if O then
F[a],bo[a],bV[a],bn[a],ca[a],ex[a]=b,c,e,g,s,aw
else
local y,ay
if i<ai then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,ay=c,b.ticks_per_unit
elseif i==ai then
local C=h-e
if C>=b.period then
local X=af(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,ay=c,1
else
local C=h-e
if C>=b.period then
local X=af(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-E(0,h-e))end
ay=1
end
if y+b.ticks_per_unit<=b.capacity_ticks then
c,g,M=c+ay,g+ay,M+1
local G,j,z,aB,aO,r,ae=b.definition,0,nil,false,nil,nil,nil
if i<ai then
z=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==ai then
z=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if aZ==0 then aB=aw and h+z<=aw end
if i<ai and c<16777216 and g==c then
if aZ==0 and not aB then
z=z+af(z/4)
aw=h+z
end
aO=aw or h
end
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local az,w="<c0Bi6I3",""
if c>=1099511627776 then az,j="<c0Bi6I7",j+2
elseif c>=16777216 then az,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(az,G,j,e,c)..w
end
if not aB then
ae=bO("%d",(z<au and z or au)+aZ)
end
H[a],cc[a]=r,ae
end
end
end
if Q and N and(#Q>aX or ad("EXISTS",unpack(Q))>0)then N=false end
if N and O then
local f,x=1,#O
while f<=x do
local I,dv,cy=f,f,true
if O[f]==dt then I,dv=f+2,f+1+O[f+1]end
for at=I,dv do
local a=O[at]
local b,c,e,g,s=F[a],bo[a],bV[a],bn[a],ca[a]
local i=b.kind
local y,ay
if i<ai then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,ay=c,b.ticks_per_unit
elseif i==ai then
local C=h-e
if C>=b.period then
local X=af(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,ay=c,1
else
local C=h-e
if C>=b.period then
local X=af(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-E(0,h-e))end
ay=1
end
bo[a],bV[a],bn[a],ca[a]=c,e,g,s
cy=cy and y+b.ticks_per_unit<=b.capacity_ticks
end
for at=I,cy and dv or 0 do
local a=O[at]
local b=F[a]
local ay=b.kind==ch and 1 or b.ticks_per_unit
bo[a],bn[a],aS[a]=bo[a]+ay,bn[a]+ay,true
M=M+1
end
f=dv+1
end
for a=1,av do
if aS[a]then
local b,c,e,g,s,aw=F[a],bo[a],bV[a],bn[a],ca[a],ex[a]
local i=b.kind
local G,j,z,aB,aO,r,ae=b.definition,0,nil,false,nil,nil,nil
if i<ai then
z=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==ai then
z=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if aZ==0 then aB=aw and h+z<=aw end
if i<ai and c<16777216 and g==c then
if aZ==0 and not aB then
z=z+af(z/4)
aw=h+z
end
aO=aw or h
end
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local az,w="<c0Bi6I3",""
if c>=1099511627776 then az,j="<c0Bi6I7",j+2
elseif c>=16777216 then az,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(az,G,j,e,c)..w
end
if not aB then
ae=bO("%d",(z<au and z or au)+aZ)
end
H[a],cc[a]=r,ae
end
end
end
if N then
for a=1,av do
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
n[cH],n[#n+1]=M,w and#w/dp or 0
for f=1,w and#w or 0 do n[#n+1]=w[f]end
return n
end
elseif bh.lends then
local dc,cg,bB=string.rep,string.sub,table.remove
local gi={[dV]=by,[dT]=ai,[dU]=ch}
local N,Q,n,M,w,U=true,nil,{h,0},0,nil,nil
for R,b in ipairs(aV)do
b.base=gi[b.kind]or b.kind
b.unit=b.base==ch and 1 or b.ticks_per_unit
end
local F,bo,bV,bn,ca,dQ,aS={},{},{},{},{},{},{}
local dO,dD,cF={},{},{}
local Z={}
for a=1,av do
local b,B=aV[bf and bf[a]or 1],bi[a]
local G,i,c,e,g,s=b.definition,b.base,0,h,0,nil
local k,ap,t=nil,0,0
if not B then
Q=Q or{}
Q[#Q+1]=KEYS[a]
if i>=ai then e=h-(h-(aL and aL[a]or 0))%b.period end
elseif aH(B,G,1,true)==1 then
local f=#G+1
local ao,j=#B-f,nil
if ao>=9 then
j,e,c=aa("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local L=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*L+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if L>0 then c,f=aa(L==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bj and 0 or c
if bv then g,f=aa("<I7",B,f)end
if bu then s,f=aa("<I7",B,f)end
end
end
else
f=nil
end
if i==b.kind and i<ai and f==#B-5 then f=#B+1 end
if f then t=(#B+1-f)/ff end
N=f and(t==0 or j<dS and i~=b.kind and t%1==0 and t<=dm)
if N and t>0 then
cF[a]=cg(B,f)
k={aa(dc(dr,t),cF[a])}
k[#k]=nil
for l=2,#k,ah do ap=ap+k[l]end
end
else
N=false
end
if e>h or b.rate==0 or i>=cI then N=false end
if not N then break end
local at=dn+dq*(a-1)
n[at+1],n[at+2]=c,h-e
if s or g~=c then
w=w or{}
local x=#w
w[x+1],w[x+2],w[x+3],w[x+4]=a,c-g,s or 0,0
end
if i~=b.kind then
local x=#Z+1
Z[x]=k and#k/ah or 0
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
ar,l=ar-k[l+1]*b.ticks_per_unit,l+ah
end
if h>e then c,e=E(ar,c-(h-e)*b.refill_per_ms),h end
g,dQ[a]=Y(g,c-ar),c
else
local y,ay
if i<ai then
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,ay=c,b.ticks_per_unit
elseif i==ai then
local C=h-e
if C>=b.period then
local X=af(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,ay=c,1
else
local C=h-e
if C>=b.period then
local X=af(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-E(0,h-e))end
ay=1
end
dQ[a]=y
end
while k and k[1]and k[1]<=h do
ap,cF[a]=ap-k[2],nil
for R=1,ah do bB(k,1)end
end
F[a],bo[a],bV[a],bn[a],ca[a]=b,c,e,g,s
dO[a],dD[a]=k,ap
end
if Q and N and(#Q>aX or ad("EXISTS",unpack(Q))>0)then N=false end
if N then
local f,x=1,O and#O or av
while f<=x do
local a,t,cn,u,bX,al,bZ=O and O[f]or f,1,0,0,0,0,0
f=f+1
if a==cs then
a,t,cn,u,bX,al,bZ=unpack(O,f,f+6)
f=f+7
end
local b,k,ap=F[a],dO[a],dD[a]
local c,y,g=bo[a],dQ[a],bn[a]
local ay,cG=b.unit,b.ticks_per_unit
if al+bZ>0 then
k,aS[a]=k or{},true
local bT,cf=0,0
for df=1,al+bZ do
local eJ,o,l=O[f],O[f+1],ah
while k[l]and k[l]~=eJ do l=l+ah end
if k[l]then
local s=k[l-1]
local cr=Y(s,o)
local aB=df>al and 0 or cr
k[l-1],ap,cf=aB,ap-s+aB,cf+s-cr
if df>al then bT=bT+cr end
for R=1,aB==0 and ah or 0 do bB(k,l-2)end
end
f=f+2
end
c,y,g=c-bT*ay,y-bT*cG,g+cf*ay
if bT+cf>0 then cF[a]=nil end
end
local ac=cn==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if y+E(1,t)*cG<=ac then
c,y,g=c+t*ay,y+t*cG,g+t*ay
aS[a],M=true,M+1
if bX>0 and b.share then
local ck=h+b.share
if b.base~=by then ck=Y(ck,bV[a]+b.period)end
k=k or{}
local o=0
if bX>0 and#k<ah*dm then
local eq=af(b.capacity_ticks/b.ticks_per_unit/2)
o=Y(bX,aq(af((b.capacity_ticks-y)/b.ticks_per_unit)/2),eq-ap)
end
if o>0 then
local J,q=o,E(ck,k[#k-2]or ck)
for l=#k,ah,-ah do
if k[l]==u then
J=J+k[l-1]
for R=1,ah do bB(k,l-2)end
end
end
local x=#k
k[x+1],k[x+2],k[x+3]=q,J,u
ap=ap+o
else
o=0
end
if o>0 then cF[a]=nil end
c,y,M=c+o*ay,y+o*cG,M+o
end
end
bo[a],dQ[a],bn[a],dO[a],dD[a]=c,y,g,k,ap
end
for a=1,av do
if aS[a]and not U then
local b,c,e,g,s=F[a],bo[a],bV[a],bn[a],ca[a]
local G,i,j,z,r=b.definition,b.base,0,nil,nil
local k,aO=dO[a],nil
local fE=k and k[1]
if fE and i==by then
local ar=dD[a]*b.ticks_per_unit
local bS,q=c,e
for l=1,#k,ah do
if k[l]>e then
bS=E(ar,bS-(k[l]-q)*b.refill_per_ms)
q,ar=k[l],ar-k[l+1]*b.ticks_per_unit
end
end
z=bS<=0 and 0 or q+aq(bS/b.refill_per_ms)-h
else
if i<ai then
z=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
elseif i==ai then
z=c==0 and 0 or e+aq(c/b.rate)*b.period-h
else
z=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
end
local aQ,ae
if z<=0 then
aQ=bW("DEL",KEYS[a])
else
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local az,w="<c0Bi6I3",""
if c>=1099511627776 then az,j="<c0Bi6I7",j+2
elseif c>=16777216 then az,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(az,G,j,e,c)..w
end
ae=bO("%d",(z<au and z or au)+aZ)
if fE then
r=r..(cF[a]or P(dc(dr,#k/ah),unpack(k)))
end
aQ=bW("PSETEX",KEYS[a],ae,r)
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
n[cH],n[#n+1]=M,w and#w/dp or 0
for f=1,w and#w or 0 do n[#n+1]=w[f]end
for f=1,#Z do n[#n+1]=Z[f]end
return n
end
elseif bh.logs then
local bY,aR,gl,bH="<i6I7",13,416,9007199254740992
local cg=string.sub
local N,Q,n,M,w,ab,U=true,nil,{h,0},0,{},{},nil
local H,eo={},{}
for a=1,av do
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
local L=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*L+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if L>0 then c,f=aa(L==1 and"<I5"or"<I7",B,f-3)end
g=j%16>=bj and 0 or c
if bv then g,f=aa("<I7",B,f)end
if bu then s,f=aa("<I7",B,f)end
end
end
else
f=nil
end
local fy=f and#B+1-f or 0
N=f and j<bx and fy>0 and fy%aR==0
if N then
local I,ax,q,bA=f,h-b.period,nil,nil
x,V=aa(bY,B,#B-aR+1)
local aI=V-c
if aI<0 then aI=aI+bH end
q,bA=aa(bY,B,I)
while q<=ax and I<#B do
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
local fC=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or fC and#W>gl-aR then N=false end
if not N then break end
local f=dn+dq*(a-1)
n[f+1],n[f+2]=c,h-e
if g~=c then
local f=#w
w[f+1],w[f+2],w[f+3],w[f+4]=a,c-g,0,0
end
if fC then
local j,aO,z,ae,r=0,nil,b.period,nil,nil
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
local az,w="<c0Bi6I3",""
if c>=1099511627776 then az,j="<c0Bi6I7",j+2
elseif c>=16777216 then az,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(az,G,j,e,c)..w
end
H[a]=r..W..P(bY,h,V)
if not eo[b]then
ae=bO("%d",(z<au and z or au)+aZ)
eo[b]=ae
end
end
end
if Q and N and(#Q>aX or ad("EXISTS",unpack(Q))>0)then N=false end
if N then
for a=1,av do
if H[a]then
local aQ=bW("PSETEX",KEYS[a],eo[aV[bf and bf[a]or 1]],H[a])
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
n[cH],n[#n+1]=M,#w/dp
for f=1,#w do n[#n+1]=w[f]end
for f=1,#ab do n[#n+1]=ab[f]end
return n
end
end
local F,c,e,g={},{},{},{}
local an,aj,A,aA,aW,be,aF={},{},{},{},{},{},{}
local dP,cM,cR,er={},{},{},{}
local aJ,aS={},{}
local bU,bt={},{}
local cD,cv,fx,gh,ei,fW,fP
local cV,cW
local function ce(a)
aJ[a],c[a],e[a],g[a]=true,-1,h,0
be[a],aF[a]=nil,nil
end
local function gE(a,j,f)
local B=bi[a]
if ec(j,dS)~=0 then aj[a],f=aa(eV,B,f)end
if ec(j,eX)~=0 then dP[a],f=aa(fb,B,f)end
if ec(j,eW)~=0 then
cM[a]={aa(dh,B,f)}
f=cM[a][4]
end
cR[a]=string.sub(B,f)
end
local bK,bI,bJ=c,e,g
local function fu(a,cl)
local B,f,c,e,g,s=bi[a],cl+1,nil,nil,nil,nil
local ao,j=#B-f,nil
if ao>=9 then
j,e,c=aa("<Bi6I3",B,f)
g,f=c,f+10
if j>0 then
local L=j%4
local bv,bu=j%16>=bG,j%32>=bx
if ao<9+2*L+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if L>0 then c,f=aa(L==1 and"<I5"or"<I7",B,f-3)end
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
return f>#B or pcall(gE,a,j,f)
end
local Q,aE,aU={},nil,{}
if O and O[1]==fc then aE={}end
for R,b in ipairs(aV)do aU[b.kind]=true end
for a=1,av do
local b,B=aV[bf and bf[a]or 1],bi[a]
F[a]=b
if not B then
Q[#Q+1]=a
else
local gV=aH(B,b.definition,1,true)==1 and fu(a,#b.definition)
if not gV or dP[a]or e[a]>h then
aE=aE or{}
aE[#aE+1]=a
end
end
end
local bD,gg
if O then
bD={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-13]=5,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function gg(f)
local S,fj=O[f],O[f+1]
if S>0 then return 1 end
if S==cs then return 1+bD[cs]+2*(O[f+6]+O[f+7])end
local gU=S==ci or S==dW
return 1+bD[S]+(gU and di*fj or S==dt and fj or 0)
end
end
local aM={}
local function cJ(a,i,bL)
c[a]=c[a]+bL
if i.record and bL~=0 then i.record(a,bL)end
end
local function gz(a,b,t)
local i,gb=b.algorithm,t*b.counts_per_unit
i.advance(a,b)
cJ(a,i,gb)
g[a]=g[a]+gb
end
local function hx(a,b,fT,hm)
local i,en=b.algorithm,hm-fT
i.advance(a,b)
local ac=(i.most_counts and i.most_counts(b)or au)-c[a]-(an[a]or 0)
local ha=i.queues and 0 or-g[a]
cJ(a,i,E(ha,Y(en*b.counts_per_unit,E(0,ac))))
g[a]=Y(E(0,g[a]-fT*b.counts_per_unit),c[a])
if en>0 and aA[a]then cD(a,b,en,bF)end
end
local function gx(a,b,y,cZ,f)
local i,gc=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],an[a]=0,i.is_aligned and f-(f-(aL and aL[a]or 0))%b.period or f,nil
cJ(a,i,aq(y/gc))
g[a]=af(cZ/gc)
end
local function gX(a,b,v)
local i=b.algorithm
if not i.has_history or b.period~=v.period then return false end
local function fY(G)return string.match(G,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return fY(b.definition)==fY(v.definition)and i.used(a,b)<=b.capacity_ticks
end
local function bg(i)
i.charge,i.settle,i.begin,i.keep=gz,hx,gx,gX
return i
end
local function fk(b)
b.algorithm=aM[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local ez=aU[dV]or aU[dT]or aU[dU]
if ez then aU[by],aU[ai],aU[ch]=true,true,true end
if aE or aU[by]then
local aG={is_reservable=true}
local function ep(as,m)
while m~=0 do as,m=m,as%m end
return as
end
function aG.define(b)
local dg=ep(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/dg,b.rate/dg
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
local c,e,g,z=c[a],e[a],0,nil
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
z=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
return z
end
aM[by]=bg(aG)
end
if aE or aU[ai]then
local aP={is_aligned=true,is_reservable=true}
function aP.used(a,b)
local c,e,g=c[a],e[a],0
local C=h-e
if C>=b.period then
local X=af(C/b.period)
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
local X=af(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bK[a],bI[a],bJ[a]=c,e,g
end
function aP.reset_after(a,b)
local c,e,g,z=c[a],e[a],0,nil
local C=h-e
if C>=b.period then
local X=af(C/b.period)
c,e=c-X*b.rate,e+X*b.period
if c<0 then c=0 end
if g>c then g=c end
end
z=c==0 and 0 or e+aq(c/b.rate)*b.period-h
return z
end
function aP.most_counts(b)
return b.rate==0 and au or Y(au,af(au/b.period)*b.rate)
end
aM[ai]=bg(aP)
end
if aE or aU[ch]then
local aP={is_aligned=true,has_history=true,counts_units=true}
function aP.define(b)
b.ticks_per_unit=b.period
end
function aP.used(a,b)
local c,e,g,s,y=c[a],e[a],0,an[a],nil
local C=h-e
if C>=b.period then
local X=af(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-E(0,h-e))end
return y
end
local bK,bI,bJ=c,e,g
function aP.advance(a,b)
local c,e,g,s=c[a],e[a],g[a],an[a]
local C=h-e
if C>=b.period then
local X=af(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
bK[a],bI[a],bJ[a],an[a]=c,e,g,s
end
function aP.reset_after(a,b)
local c,e,g,s,z=c[a],e[a],0,an[a],nil
local C=h-e
if C>=b.period then
local X=af(C/b.period)
s=X==1 and c>0 and c or nil
c,e,g=0,e+X*b.period,0
end
z=c>0 and e+2*b.period-h or s and e+b.period-h or 0
return z
end
function aP.most_counts(b)
return af(au/b.period)
end
aM[ch]=bg(aP)
end
if aE or aU[cI]then
function cV(a,b)
return(string.gsub(KEYS[er[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cP(aT,ak)
local H=redis.pcall(aT,ak,0,0)
if not H.err then return H end
if not aH(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cW(ak,aT,ao)
local H=cP(aT,ak)
if not H then return false end
if H[1]and#H[1]~=ao then return false end
if H[1]then ad("UNLINK",ak)end
return true
end
local function ev(a,d,aT,ao)
local H=cP(aT,d.key)
if not H or H[1]and#H[1]~=ao then return ce(a)end
return H[1]~=nil
end
local function cw(aT,ak,cj)
for I=1,#cj,aX do
ad(aT,ak,unpack(cj,I,Y(I+aX-1,#cj)))
end
end
local function bb(a)
return E(e[a],h)
end
local function eO(eL)
local bd={}
for ak in pairs(eL)do bd[#bd+1]=ak end
table.sort(bd)
return bd
end
local bY,aR,bH="<i6I7",13,9007199254740992
local bq=32
local ct=bq*aR
local dY=1024
local aD={has_history=true,keeps_list=true}
local function hh(V,o)
return V>=bH-o and V-(bH-o)or V+o
end
local function cm(V,em)
return V<em and V-em+bH or V-em
end
local function fQ(d,eE)
local r=d.read[eE]
if not r then
r=ad("LINDEX",d.key,eE-1)
d.read[eE]=r
end
return r
end
local function cb(d,am)
local r,eC=d.tail,(am-d.pages*bq-1)*aR
if eC<0 then r,eC=fQ(d,aq(am/bq)),(am-1)%bq*aR end
local q,V=aa(bY,r,eC+1)
return q-d.shift,V
end
local function cp(d,am)
if am==d.head then return d.base end
local R,V=cb(d,am)
return V
end
local function fJ(d,q)
local aN,aY=d.head,d.length
if aN==aY or cb(d,aN+1)>q then return aN end
while aN<aY do
local bw=aq((aN+aY)/2)
if cb(d,bw)<=q then aN=bw else aY=bw-1 end
end
return aN
end
local function fI(d,o)
local aN,aY=d.head,d.length
while aN<aY do
local bw=aq((aN+aY)/2)
if cm(d.sum,cp(d,bw))>=o then aN=bw else aY=bw-1 end
end
return aN
end
local function eM(d,W)
d.tail,d.length=W,d.pages*bq+#W/aR
d.sum=d.length>d.head and select(2,cb(d,d.length))or d.base
end
local function fh(d,q,V)
d.tail=d.tail..P(bY,q+d.shift,V)
d.length,d.sum=d.length+1,V
end
function aD.open(a,b)
local ak=cV(a,b)
local et=A[a]and A[a].key==ak and A[a].is_apart
A[a]={
key=ak,is_apart=et,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return A[a]
end
function aD.load(a,b)
local d,aC,W=aD.open(a,b),cM[a],cR[a]or""
if#W%aR~=0 then return ce(a)end
if aC then
d.pages,d.head,d.shift=aC[1],aC[2],aC[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not ev(a,d,"LRANGE",ct)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
W=P(bY,e[a]+d.shift,c[a])
end
eM(d,W)
d.base=cm(d.sum,c[a])
end
local function dB(a,b)
local d,ax=A[a],bb(a)-b.period
if d.over~=ax then d.over,d.last_over=ax,fJ(d,ax)end
return d.last_over
end
function aD.used(a,b)
local d=A[a]
return cm(d.sum,cp(d,dB(a,b)))
end
function aD.advance(a,b)
local d,ax=A[a],dB(a,b)
d.base=cp(d,ax)
d.head=ax
c[a]=cm(d.sum,d.base)
g[a]=Y(g[a],c[a])
end
function aD.reset_after(a,b)
local d=A[a]
if d.length==d.head then return 0 end
return E(0,cb(d,d.length)+b.period-h)
end
local function hi(a,o)
local d,q=A[a],bb(a)
local V=hh(d.sum,o)
if d.length==d.head then d.base,V=0,o end
if d.length>d.head and cb(d,d.length)==q then
d.tail,d.length=string.sub(d.tail,1,-aR-1),d.length-1
end
fh(d,q,V)
e[a]=q
end
local function hG(d,am)
if am<=d.pages*bq then
local eS=E(0,aq(am/bq)-1)
local W=am>0 and string.sub(fQ(d,eS+1),1,(am-eS*bq)*aR)or""
d.pages=eS
return eM(d,W)
end
eM(d,string.sub(d.tail,1,(am-d.pages*bq)*aR))
end
local function hE(a,o)
local d=A[a]
local x,V=fI(d,o),cm(d.sum,o)
d.cuts[x],d.cuts[x+1]=true,true
local q=x<d.length and V~=cp(d,x)and cb(d,x+1)
hG(d,x)
if q then fh(d,q,V)end
end
function aD.record(a,bL)
if bL>0 then hi(a,bL)else hE(a,-bL)end
end
function aD.note(a,b,ac)
local d=A[a]
if aj[a]and aj[a]>h then d.cuts[fJ(d,E(e[a],aj[a])-b.period)]=true end
if ac>=0 and aD.used(a,b)>ac then d.cuts[fI(d,ac+1)+1]=true end
end
function aD.note_each(a,b,o)
local d,am=A[a],dB(a,b)
local s,ac=cp(d,am),aD.used(a,b)+o-b.capacity_ticks
while am<d.length and cm(cp(d,am),s)<ac do
am=am+1
d.cuts[am]=true
end
bU[a].is_whole=am==d.length
if not bU[a].is_whole then aD.note(a,b,-1)end
end
function aD.see(a,b)
local d,ax=A[a],dB(a,b)
bU[a]={
key=d.key,pages=d.pages,head=ax,base=cp(d,ax),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function aD.show(a,n)
local Z,t=bU[a],#n+1
local V,ab=Z.base,0
if Z.length>Z.head then Z.cuts[Z.head+1],Z.cuts[Z.length]=true,true end
n[t]=0
for R,am in ipairs(eO(Z.cuts))do
if am>Z.head and am<=Z.length then
local q,bA=cb(Z,am)
n[#n+1],n[#n+2]=q,cm(bA,V)
V,ab=bA,ab+1
end
end
n[t]=Z.is_whole and ab or-ab
end
function aD.divide(a)
local d=A[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=Y(af(d.head/bq),d.pages,dY)
d.kept=d.pages-d.dropped
local bP,W,dJ=d.head-d.dropped*bq,d.tail,{}
if d.kept==0 then bP,W=0,string.sub(W,bP*aR+1)end
local eu=nil
while#W>ct do
if eu==nil then eu=d.is_apart or cW(d.key,"LRANGE",ct)end
if not eu then break end
dJ[#dJ+1],W=string.sub(W,1,ct),string.sub(W,ct+1)
end
d.pushed=dJ
local fR=d.kept+#dJ
return(fR>0 or d.shift~=0)and P(dh,fR,bP,d.shift)or"",W
end
function aD.write(a,ae)
local d=A[a]
if d.is_apart and d.kept==0 then ad("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
ad("LTRIM",d.key,d.dropped,d.pages-1)
end
cw("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then ad("PEXPIRE",d.key,ae)end
end
function aD.rewind(a,ag)
A[a].shift,A[a].over=A[a].shift+ag,nil
end
aM[cI]=bg(aD)
local hw=aD.keep
function aD.keep(a,b,v)
if not hw(a,b,v)then return false end
ei(a,b,"LRANGE",ct)
return true
end
end
if aE or aU[eY]then
local aG={is_reservable=true}
local function ep(as,m)
while m~=0 do as,m=m,as%m end
return as
end
function aG.define(b)
local dg=ep(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/dg,b.rate/dg
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
local c,e,g,z=c[a],e[a],0,nil
local C=h-e
if C>0 then
c,e=c-C*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
z=c==0 and 0 or e-h+aq(c/b.refill_per_ms)
return z
end
aG.queues=true
aM[eY]=bg(aG)
end
if aE or aU[dj]then
function cV(a,b)
return(string.gsub(KEYS[er[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cP(aT,ak)
local H=redis.pcall(aT,ak,0,0)
if not H.err then return H end
if not aH(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cW(ak,aT,ao)
local H=cP(aT,ak)
if not H then return false end
if H[1]and#H[1]~=ao then return false end
if H[1]then ad("UNLINK",ak)end
return true
end
local function ev(a,d,aT,ao)
local H=cP(aT,d.key)
if not H or H[1]and#H[1]~=ao then return ce(a)end
return H[1]~=nil
end
local function cw(aT,ak,cj)
for I=1,#cj,aX do
ad(aT,ak,unpack(cj,I,Y(I+aX-1,#cj)))
end
end
local function bb(a)
return E(e[a],h)
end
local function eO(eL)
local bd={}
for ak in pairs(eL)do bd[#bd+1]=ak end
table.sort(bd)
return bd
end
local dk,dX,ds="<I7B",8,35184372088832
local dY=128
local function co(L,q)
return bO("%.0f",(L-1)*ds+q)
end
local function el(o,eR)
local L=1
while o>0 do
if o%2==1 then eR(L)end
o,L=af(o/2),L+1
end
end
local function gA(d,q)
local o,du=0,E(0,d.floor+d.shift+1)
for L=1,d.sizes do
local bk=ad("ZCOUNT",d.key,co(L,du),co(L,q+d.shift))
o=o+2^(L-1)*bk
end
return o
end
local function hl(d,u)
local bk={}
for L=1,d.sizes do bk[L]=P(dk,u,L)end
local p={units=0,id=u}
for L,r in ipairs(#bk>0 and ad("ZMSCORE",d.key,unpack(bk))or{})do
if r then
p.units=p.units+2^(L-1)
p.instant=tonumber(r)-(L-1)*ds-d.shift
end
end
return p.units>0 and p or nil
end
local function hy(d,aK)
for L=1,d.sizes do
local I,x,bl=co(L,aK+d.shift),co(L+1,-1),{}
for R,hd in ipairs(ad("ZRANGEBYSCORE",d.key,"("..I,x))do
bl[#bl+1],bl[#bl+2]=I,hd
end
cw("ZADD",d.key,bl)
end
end
local function hk(d)
local ef,J,H={},{},ad("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#H,2 do
local u,L=aa(dk,H[f])
local p=ef[u]or{units=0,id=u}
p.instant=tonumber(H[f+1])-(L-1)*ds-d.shift
p.units=p.units+2^(L-1)
if not ef[u]then ef[u],J[#J+1]=p,p end
end
return J
end
local function hK(d,hp,cK)
local bk,bl={},{}
for u,p in pairs(hp)do
el(p.units,function(L)bk[#bk+1]=P(dk,u,L)end)
end
for R,p in pairs(cK)do
el(p.units,function(L)
bl[#bl+1],bl[#bl+2]=co(L,p.instant+d.shift),P(dk,p.id,L)
end)
end
cw("ZREM",d.key,bk)
cw("ZADD",d.key,bl)
return#bl/2
end
local function gJ(d,cK)
local al=dY+cK
for L=1,d.sizes do
local I,x=co(L,0),co(L,E(-1,d.floor+d.shift))
local bk=al>0 and ad("ZRANGEBYSCORE",d.key,I,x,"LIMIT",0,al)or{}
cw("ZREM",d.key,bk)
al=al-#bk
end
end
local eZ,bE="<i6I4I7",17
local go=-ds
local dl=16
local T={holds_leases=true,keeps_list=true}
function T.open(a,b)
local ak=cV(a,b)
local et=A[a]and A[a].key==ak and A[a].is_apart
A[a]={
key=ak,is_apart=et,shift=0,cuts={},kept={},sizes=0,floor=go,
found={},removed={},added={},
}
return A[a]
end
function T.load(a,b)
local d,aC,r=T.open(a,b),cM[a],cR[a]or""
if#r%bE~=0 then return ce(a)end
local f=1
while f<=#r do
local p={}
p.instant,p.units,p.id,f=aa(eZ,r,f)
d.kept[#d.kept+1]=p
end
if not aC then return end
d.sizes,d.floor,d.shift=aC[1],aC[2],aC[3]
d.is_apart,d.kept=true,nil
if ev(a,d,"ZRANGE",dX)or aJ[a]then return end
T.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bF}
end
local function fs(d,q)
if q<=d.floor then return 0 end
if not d.kept then return gA(d,q)end
local o=0
for R,p in ipairs(d.kept)do
if p.instant>q then break end
if p.instant>d.floor then o=o+p.units end
end
return o
end
local function ej(J,d,q)
local o=0
for R,p in pairs(J)do
if p.instant>d.floor and p.instant<=q then o=o+p.units end
end
return o
end
local function ft(d,q)
return fs(d,q)-ej(d.removed,d,q)+ej(d.added,d,q)
end
local function gB(a)
local d,q=A[a],bb(a)
if q<=d.floor then return 0 end
if d.over~=q then d.over,d.units_over=q,ft(d,q)end
return d.units_over
end
function T.used(a)
return c[a]-gB(a)
end
function T.advance(a)
c[a]=T.used(a)
A[a].floor=E(A[a].floor,bb(a))
end
local function gN(d,u)
for R,p in ipairs(d.kept)do
if p.id==u then return p end
end
end
local function gO(d,u)
if d.found[u]==nil then
d.found[u]=(d.kept and gN or hl)(d,u)or false
end
return d.found[u]or nil
end
local function fz(d,u)
local p=d.added[u]or not d.removed[u]and gO(d,u)or nil
return p and p.instant>d.floor and p or nil
end
local function bB(d,u)
local p=fz(d,u)
if not p then return 0 end
if d.added[u]then d.added[u]=nil else d.removed[u]=p end
return p.units
end
local function cJ(a,u,o,q)
local d=A[a]
local s=bB(d,u)
d.added[u]={instant=q,units=s+o,id=u}
end
function T.charge(a,b,o,u)
T.advance(a)
e[a]=bb(a)
cJ(a,u,o,e[a]+b.period)
c[a]=c[a]+o
end
T.settle=T.advance
function T.reset_after(a,b)
return T.used(a)==0 and 0 or e[a]+b.period-h
end
function T.begin(a,b,y,R,f)
T.open(a,b)
c[a],e[a],an[a],g[a]=0,f,nil,0
if y>0 then T.charge(a,b,y,bF)end
end
local function fl(aw,ag,aK)
local J={}
for l,p in ipairs(aw)do
J[l]={instant=Y(p.instant-ag,aK),units=p.units,id=p.id}
end
return J
end
function T.keep(a,b,v)
ei(a,b,"ZRANGE",dX)
T.advance(a)
local d,aK=A[a],bb(a)+b.period
if d.kept then d.kept=fl(d.kept,0,aK)
elseif b.period<v.period and not aJ[a]then hy(d,aK)
end
e[a]=bb(a)
return true
end
local function fO(J,ag)
local fN={}
for u,p in pairs(J)do fN[u]={instant=p.instant-ag,units=p.units,id=u}end
return fN
end
function T.rewind(a,ag)
local d=A[a]
d.floor,d.over,d.found=d.floor-ag,nil,{}
d.added,d.removed=fO(d.added,ag),fO(d.removed,ag)
if d.kept then d.kept=fl(d.kept,ag,math.huge)else d.shift=d.shift+ag end
end
local function eH(a,u,t)
T.advance(a)
local d=A[a]
local p=fz(d,u)
if not p or p.units~=t then return false end
c[a]=c[a]-bB(d,u)
return true
end
local function fS(a,b,u,t)
local cS=eH(a,u,t)
if cS then T.charge(a,b,t,u)end
return cS
end
local function fw(a,eR)
for R,m in ipairs(aA[a]or{})do
if F[m].algorithm==T then eR(m,F[m])end
end
end
function T.release(a,R,u,t)
fw(a,function(m)eH(m,u,t)end)
eH(a,u,t)
end
function T.renew(a,b,u,t)
if not fS(a,b,u,t)then return end
fw(a,function(m,fH)
if not fS(m,fH,u,t)then T.charge(m,fH,t,u)end
end)
end
local function gL(a,b,o)
local d,aN,aY=A[a],bb(a),e[a]+b.period
for R,p in ipairs(d.kept or{})do
local cS=p.instant>d.floor and not d.removed[p.id]
if cS then o=o-p.units end
if cS and o<=0 then return p.instant end
end
if d.kept then return aY end
while aN+1<aY do
local bw=af((aN+aY)/2)
if ft(d,bw)>=o then aY=bw else aN=bw end
end
return aY
end
function T.note(a,b,ac)
local d=A[a]
if aj[a]and aj[a]>h then d.cuts[E(e[a],aj[a])]=true end
if ac>=0 and T.used(a)>ac then d.cuts[gL(a,b,c[a]-ac)]=true end
end
function T.note_each(a)
bU[a].is_whole=true
end
function T.see(a,b)
local d=A[a]
bU[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=E(d.floor,bb(a)),
used=T.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function hf(Z)
local fX,J=Z.found,{}
if Z.is_whole then fX=Z.kept or hk(Z)end
for R,p in pairs(fX)do
if p and p.instant>Z.floor then J[#J+1]=p end
end
table.sort(J,function(as,m)return as.instant<m.instant end)
return J
end
function T.show(a,n)
local Z,t,ab,V,cY=bU[a],#n+1,0,0,1
local ey=hf(Z)
local function fV(q,o,u)
n[#n+1],n[#n+2],n[#n+3]=q,o,u
ab=ab+1
end
n[t],Z.cuts[Z.latest]=0,true
for R,cx in ipairs(eO(Z.cuts))do
if cx>Z.floor and cx<=Z.latest then
local bA=cx==Z.latest and Z.used or fs(Z,cx)
local D=bA-V
while ey[cY]and ey[cY].instant<=cx do
local p=ey[cY]
fV(p.instant,p.units,p.id)
D,cY=D-p.units,cY+1
end
if D>0 then fV(cx,D,-2-ab)end
V=bA
end
end
n[t]=ab
end
local function ar(d)
local J={}
for R,p in ipairs(d.kept)do
if p.instant>d.floor and not d.removed[p.id]then J[#J+1]=p end
end
for R,p in pairs(d.added)do J[#J+1]=p end
return J
end
function T.divide(a)
local d,H=A[a],{}
if not d.kept and c[a]==ej(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local J=ar(d)
if#J<=dl or not(d.is_apart or cW(d.key,"ZRANGE",dX))then
for l,p in ipairs(J)do H[l]=P(eZ,p.instant,p.units,p.id)end
return"",table.concat(H)
end
d.moved=J
end
for R,p in pairs(d.moved or d.added)do
el(p.units,function(L)d.sizes=E(d.sizes,L)end)
end
return P(dh,d.sizes,d.floor,d.shift),""
end
function T.write(a,ae)
local d=A[a]
if d.kept and d.is_apart then ad("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cK=hK(d,d.removed,d.moved or d.added)
if not d.kept then gJ(d,cK)end
ad("PEXPIRE",d.key,ae)
end
aM[dj]=T
end
if aE or ez then
local dc,bB=string.rep,table.remove
local hI,hA=c,e
local function dI(a)
return E(e[a],h)
end
local function dG(a,ag)
local k={unpack(A[a].shares)}
for l=1,#k,ah do k[l]=k[l]-ag end
A[a]={shares=k}
return k
end
local function fv(a)
local k,q=A[a].shares,dI(a)
if not k[1]or k[1]>q then return end
k=dG(a,0)
while k[1]and k[1]<=q do
for R=1,ah do bB(k,1)end
end
end
local function dR(a,q)
local k,o=A[a].shares,0
for l=1,#k,ah do
if k[l]>q then o=o+k[l+1]end
end
return o
end
local function cZ(a)
A[a]={shares={}}
end
local function hc(a)
local r=cR[a]or""
local t=#r/ff
if t%1~=0 or t>dm then return ce(a)end
local k={aa(dc(dr,t),r)}
k[#k]=nil
A[a]={shares=k}
end
local function gH(a)
local k=A[a].shares
return"",P(dc(dr,#k/ah),unpack(k))
end
local function hv(a)
bU[a]=A[a].shares
end
local function eN(a,n)
local k,f=bU[a],#n+1
n[f]=#k/ah
for l=1,#k do n[f+l]=k[l]end
end
local function gP(a,b)
if dR(a,dI(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],an[a],g[a]=dR(a,0)*b.counts_per_unit,nil,0
return true
end
local function eI(a,b,f,al,bZ)
b.algorithm.advance(a,b)
local k,ap=dG(a,0),0
local bT,cf=0,0
for df=1,al+bZ do
local eJ,o,l=O[f],O[f+1],ah
while k[l]and k[l]~=eJ do l=l+ah end
if k[l]then
local s=k[l-1]
local cr=Y(s,o)
local aB=df>al and 0 or cr
k[l-1],ap,cf=aB,ap-s+aB,cf+s-cr
if df>al then bT=bT+cr end
for R=1,aB==0 and ah or 0 do bB(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bT*b.counts_per_unit
g[a]=g[a]+cf*b.counts_per_unit
end
local function hb(a,b,u,bX)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ap,y=dG(a,0),dR(a,0),i.used(a,b)
local ck=i.lent_until(a,b)
local o=0
if bX>0 and#k<ah*dm then
local eq=af(b.capacity_ticks/b.ticks_per_unit/2)
o=Y(bX,aq(af((b.capacity_ticks-y)/b.ticks_per_unit)/2),eq-ap)
end
if o>0 then
local J,q=o,E(ck,k[#k-2]or ck)
for l=#k,ah,-ah do
if k[l]==u then
J=J+k[l-1]
for R=1,ah do bB(k,l-2)end
end
end
local x=#k
k[x+1],k[x+2],k[x+3]=q,J,u
ap=ap+o
else
o=0
end
c[a]=c[a]+o*b.counts_per_unit
return o
end
local function eA(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cZ,hc,gH,hv,eN,dG
i.forget,i.report,i.lend=gP,eI,hb
return bg(i)
end
local aG={base=aM[by],is_reservable=true,define=aM[by].define}
local function ee(a,b)
local c,e,k=hI[a],hA[a],A[a].shares
local ar=dR(a,0)*b.ticks_per_unit
local l,bb=1,E(h,e)
while l<#k and k[l]<=bb do
local q=k[l]
if q>e then
c,e=E(ar,c-(q-e)*b.refill_per_ms),q
end
ar,l=ar-k[l+1]*b.ticks_per_unit,l+ah
end
if h>e then c,e=E(ar,c-(h-e)*b.refill_per_ms),h end
return c,e,ar
end
function aG.used(a,b)
return(ee(a,b))
end
function aG.advance(a,b)
local ar
c[a],e[a],ar=ee(a,b)
g[a]=Y(g[a],c[a]-ar)
fv(a)
end
function aG.reset_after(a,b)
local k,z=A[a].shares,nil
local c,e,ar=ee(a,b)
local bS,q=c,e
for l=1,#k,ah do
if k[l]>e then
bS=E(ar,bS-(k[l]-q)*b.refill_per_ms)
q,ar=k[l],ar-k[l+1]*b.ticks_per_unit
end
end
z=bS<=0 and 0 or q+aq(bS/b.refill_per_ms)-h
return z
end
function aG.lent_until(a,b)
return dI(a)+b.share
end
local function fK(aP)
local i=setmetatable({base=aP},{__index=aP})
function i.advance(a,b)
aP.advance(a,b)
fv(a)
end
function i.lent_until(a,b)
return Y(dI(a)+b.share,e[a]+b.period)
end
return i
end
aM[dV]=eA(aG)
aM[dT]=eA(fK(aM[ai]))
aM[dU]=eA(fK(aM[ch]))
end
for R,b in ipairs(aV)do fk(b)end
local ew=aE or aU[cI]or aU[dj]or ez
for I=1,#Q,aX do
local x,bd=Y(I+aX-1,#Q),{}
for l=I,x do bd[#bd+1]=KEYS[Q[l]]end
if ad("EXISTS",unpack(bd))>0 then
for l=I,x do
if ad("EXISTS",KEYS[Q[l]])==1 then ce(Q[l])end
end
end
end
for R,a in ipairs(Q)do
if not aJ[a]then F[a].algorithm.begin(a,F[a],0,0,h)end
end
if aE then
local gn=7
local function eG(G)
local eU={}
for hJ in string.gmatch(G or"","[^,\\n]+")do eU[#eU+1]=tonumber(hJ,36)or false end
local i,bg,ba,bs,cN,hB=unpack(eU)
local cu=aM[i]
if not(cu and bg and ba)then return nil end
bs=bs or bg
local b=eF(G,i,bg,ba,1,0,0,0)
b.max_reserved,b.start=cN or nil,hB or nil
if cu.define then cu.define(b)end
b.capacity_ticks=bs*b.ticks_per_unit
if cu.is_reservable and bg>0 then
local ac=(cu.most_counts and cu.most_counts(b)or au)-b.capacity_ticks
b.debt_ticks=cN and Y(cN*b.ticks_per_unit,ac)or ac
end
fk(b)
return b
end
local dC=av
local function dE(a)
dC=dC+1
er[dC]=a
return dC
end
local function ho(d)
for cO=1,4 do assert(type(d[cO])=="number"and d[cO]>=0)end
return d
end
local function gG(a,r)
local J=cmsgpack.unpack(r)
if type(J[1])=="number"then be[a]=table.remove(J,1)end
if J[1]and type(J[1][1])=="number"then aF[a]=ho(table.remove(J,1))end
aA[a]=#J>0 and{}or nil
for l,hC in ipairs(J)do
local m,G,aC=dE(a),nil,nil
G,c[m],e[m],g[m],an[m],aW[m],aC,cR[m]=
unpack(hC)
if an[m]==0 then an[m]=nil end
local b=assert(eG(G))
F[m],aA[a][l]=b,m
if aC~=""then cM[m]={aa(dh,aC)}end
if b.algorithm.load then b.algorithm.load(m,b)end
assert(not aJ[m])
end
end
function fx(a)
local J,aK={be[a]},E(h,be[a]or 0)
J[#J+1]=aF[a]
for R,m in ipairs(aA[a]or{})do
local b,aC,cQ=F[m],"",""
aK=E(aK,aW[m])
if b.algorithm.divide then aC,cQ=b.algorithm.divide(m)end
J[#J+1]={
b.definition,c[m],e[m],g[m],an[m]or 0,aW[m],aC,cQ,
}
end
return cmsgpack.pack(J),aK-h
end
function gh(a,ae)
for R,m in ipairs(aA[a]or{})do
local i=F[m].algorithm
if i.write then i.write(m,ae)end
end
end
local function gF(a)
local v=eG(string.match(bi[a],"^[^\\n]*\\n"))
if not v or not fu(a,#v.definition)then return nil end
if dP[a]and not pcall(gG,a,dP[a])then return nil end
return v
end
local function eh(y,v,b)
if v.ticks_per_unit==b.ticks_per_unit then return y end
local o=af(y/v.ticks_per_unit)
local de=(y-o*v.ticks_per_unit)/v.ticks_per_unit
return o*b.ticks_per_unit+Y(b.ticks_per_unit,aq(de*b.ticks_per_unit))
end
local function fM(y,v,b)
return b.capacity_ticks+Y(eh(E(0,y-v.capacity_ticks),v,b),b.debt_ticks)
end
local function eK(as,m)
return(as.base or as)==(m.base or m)
end
local function he(a,b,v)
local dF,cX=v.algorithm,b.algorithm
if eK(dF,cX)and cX.keep(a,b,v)then
if dF.base or cX.base then A[a]=cX.base and{shares={}}or nil end
return
end
dF.advance(a,v)
local y=dF.used(a,v)
local aw=Y(eh(y,v,b),fM(y,v,b))
local cZ=Y(aw,eh(g[a]*v.ticks_per_unit/v.counts_per_unit,v,b))
A[a]=nil
cX.begin(a,b,aw,cZ,E(h,e[a]))
end
local function eB(b)
if b.rate==0 then return 2*b.period end
return b.period*E(2,aq(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function fq(as,m)
c[m],e[m],g[m],an[m]=c[as],e[as],g[as],an[as]
end
local function fr(as,bN)
for cO,B in pairs(as)do
if bN[cO]==nil then bN[cO]=B end
end
return bN
end
local function fp(T,aK)
local fn={}
for u,p in pairs(T or{})do
fn[u]={instant=Y(p.instant,aK),units=p.units,id=u}
end
return fn
end
function ei(a,b,hj,ao)
local d,aK=A[a],E(e[a],h)+b.period
local bN=fr(d,{
key=cV(a,b),is_beside=false,cuts={},found={},
removed=fp(d.removed,aK),added=fp(d.added,aK),
})
A[a]=bN
if not bN.is_apart or bN.key==d.key then return end
if not cW(bN.key,hj,ao)then return ce(a)end
ad(d.is_beside and"COPY"or"RENAME",d.key,bN.key)
end
local function fo(a,v,b)
local m=dE(a)
F[m],A[m]=v,A[a]
if A[a]then
A[a].is_beside=true
A[a]=fr(A[a],{})
end
fq(a,m)
aW[m]=Y(h+E(v.algorithm.reset_after(m,v),eB(v),eB(b)),au)
return m
end
local function dL(a,b)
if e[a]-h<b.period then return 0 end
local S=b.algorithm.is_aligned and b.period or 1
local ag=af((e[a]-h)/S)*S
e[a],aj[a]=e[a]-ag,aj[a]and E(0,aj[a]-ag)
local K=aF[a]
if K then aF[a]={K[1],E(0,K[2]-ag),K[3],E(0,K[4]-ag)}end
if A[a]then b.algorithm.rewind(a,ag)end
return ag
end
local function ek(D)
local aw={}
for R,m in ipairs(D or{})do
aW[m]=aW[m]-dL(m,F[m])
if aW[m]>h then aw[#aw+1]=m end
end
return aw
end
local dZ="1,0,eiz5s00,gjdgxs\\n"
local function eD(D)
for l,m in ipairs(D or{})do
if F[m].definition==dZ then return m,l end
end
end
local function hg(a)
local K=dE(a)
F[K]=eG(dZ)
c[K],e[K],an[K],g[K],aW[K]=0,h,0,0,0
return K
end
local function gv(a,v,D)
local K,l=eD(D)
if K then table.remove(D,l)else K=hg(a)end
local y,cA=v.algorithm.used(a,v),v.ticks_per_unit
c[K]=E(c[K],aq(y/cA))
an[K]=E(an[K]or 0,aq((y-v.capacity_ticks)/cA))
aW[K]=E(aW[K],Y(h+v.algorithm.reset_after(a,v),au))
D[#D+1]=K
end
local function gC(a,b)
local K=eD(aA[a])
if not K then return end
local i,cA=b.algorithm,b.ticks_per_unit
local cN=Y((an[K]or 0)*cA,b.debt_ticks)
local y=Y(c[K]*cA,b.capacity_ticks+cN)
local cE=y-i.used(a,b)
if cE<=0 then return end
if i.holds_leases then return i.charge(a,b,cE,h)end
i.advance(a,b)
i.begin(a,b,y,g[a]*cA/b.counts_per_unit,E(h,e[a]))
end
local function fD(D)
return#D-(eD(D)and 1 or 0)>=gn
end
local function hF(a,b,v,D)
if v.algorithm.reset_after(a,v)>0 then
if fD(D)then gv(a,v,D)
else D[#D+1]=ek({fo(a,v,b)})[1]end
end
aA[a]=#D>0 and D or nil
he(a,b,v)
gC(a,b)
end
local function hD(a,b,v,D,dA)
dL(a,v)
local m=table.remove(D,dA)
D[#D+1]=fo(a,v,b)
aA[a]=D
fq(m,a)
A[a]=A[m]
end
local function es(D,b)
for l,m in ipairs(D)do
if F[m].definition==b.definition then return l end
end
end
local function eg(a,b,v)
local D=ek(aA[a])
local dA=es(D,b)
if dA then hD(a,b,v,D,dA)else hF(a,b,v,D)end
end
local dd={}
local fa=2147483647
local function cT(a,v,b)
local i=b.algorithm
if(be[a]or 0)<=h or i.base then return false end
return eK(v.algorithm,i)or eK(v.algorithm,aM[by])and not i.holds_leases
end
local function hH(b)
if b.max_reserved then return 0 end
local i,dy=b.algorithm,fa*b.refill_per_ms
if i.is_aligned then dy=af(fa/b.period)*b.rate
elseif i.queues then dy=E(0,dy+b.ticks_per_unit-b.capacity_ticks)
end
return E(0,b.debt_ticks-dy)
end
local function cL(a,q)
aL=aL or{}
aL[a]=q
end
local function hq(a,b,v)
dd[a]={plan=b,anchor=aL and aL[a]or 0,own=v}
v.unreservable=hH(v)
if v.definition~=b.definition then F[a]=v end
cL(a,e[a])
end
local function hz(a,n,at)
local D,aI=aA[a]or{},dd[a].plan
local l=es(D,aI)
local gT=l and aW[D[l]]>be[a]
for R,m in ipairs(D)do
local G,x=F[m].definition,#n
local fU=G==aI.definition and 0 or G==dZ and 1 or 2
if fU<2 or not gT then
n[at]=n[at]+1
n[x+1],n[x+2],n[x+3]=fU,c[m],e[m]
n[x+4],n[x+5],n[x+6]=g[m],an[m]or 0,aW[m]
end
end
end
function fW(a,n)
local cd,f=dd[a].own,#n
n[f+1],n[f+2],n[f+3],n[f+4]=be[a],cd.kind,cd.rate,cd.period
n[f+5]=cd.capacity_ticks/cd.ticks_per_unit
n[f+6],n[f+7]=cd.max_reserved or-1,cd.start or-au
n[f+8]=0
local gZ=cd.algorithm.keeps_list or dd[a].plan.algorithm.keeps_list
if not gZ then hz(a,n,f+8)end
end
local function gY(a,b,ea,ax)
local D=aA[a]or{}
local l=es(D,b)
if not l and fD(D)then return end
local m=l and table.remove(D,l)or dE(a)
if not l then
F[m]=b
cL(m,ea)
b.algorithm.begin(m,b,0,0,h)
end
aW[m]=Y(au,E(aW[m]or 0,ax+eB(b)))
D[#D+1],aA[a]=m,D
end
function fP(a,b,ag)
local s,ea=dd[a],aL and aL[av+1]or 0
local aI,ed=F[a],aL and aL[a]or 0
if s then
aI,ed=s.plan,s.anchor
cL(a,ed)
be[a]=nil
if s.own.definition~=aI.definition then eg(a,aI,F[a])end
F[a]=aI
end
if ag>0 then
if b.definition~=aI.definition then
cL(a,ea)
eg(a,b,aI)
F[a]=b
gY(a,aI,ed,h+ag)
end
be[a]=h+ag
cL(a,e[a])
end
dL(a,F[a])
end
function cv(a,b)
local gS=e[a]>h and c[a]==0 and(an[a]or 0)==0 and(aj[a]or 0)<=h
if gS then b.algorithm.begin(a,b,0,0,h)end
end
local function hn(a,b)
local v=gF(a)
if not v then return ce(a)end
local aB=cT(a,v,b)
if aB then hq(a,b,v)end
local fG=aB or v.definition==b.definition
if fG and e[a]<=h then return end
if v.algorithm.load then v.algorithm.load(a,v)end
if aJ[a]then return end
if not aB then be[a]=nil end
if not fG then eg(a,b,v)end
dL(a,F[a])
cv(a,F[a])
aS[a]=true
end
function cD(a,b,t,p)
local D=ek(aA[a])
aA[a]=#D>0 and D or nil
local y=b.algorithm.used(a,b)
for R,m in ipairs(D)do
local cq,o=F[m],t
if p==bF or not cq.algorithm.holds_leases then
local hs=fM(y,b,cq)-cq.algorithm.used(m,cq)
o=Y(t,af(hs/cq.ticks_per_unit))
end
if o>0 then cq.algorithm.charge(m,cq,o,p~=bF and p or h)end
end
end
for R,a in ipairs(aE)do hn(a,F[a])end
end
for a=1,ew and av or 0 do
local b=F[a]
if b.algorithm.load and not aJ[a]then
if not A[a]then b.algorithm.load(a,b)end
if not aJ[a]then b.algorithm.see(a,b)end
end
end
local n,dN={h,0},{}
for a=1,av do
local f=dn+dq*(a-1)
local cU,dz=c[a],g[a]
if F[a].algorithm.note and not aJ[a]then
cU=F[a].algorithm.used(a,F[a])
dz=Y(dz,cU)
end
n[f+1],n[f+2]=cU,h-e[a]
if dz~=cU and not aJ[a]then dN[a]=cU-dz end
end
local eb=#n+1
n[eb]=0
if next(dN)or next(an)or next(aj)or next(be)or next(aF)then
for a=1,av do
local cT,K,br=(be[a]or 0)>h,aF[a],aj[a]or 0
if dN[a]or an[a]or aj[a]or cT or K then
local f,at=#n,cT and-a or a
n[eb]=n[eb]+1
n[f+1],n[f+2],n[f+3],n[f+4]=at,dN[a]or 0,an[a]or 0,br
if K then
n[f+4]=-1-br
n[f+5],n[f+6],n[f+7],n[f+8]=unpack(K,1,gq)
end
if cT then fW(a,n)end
end
end
end
local M=0
local da
local function fB(a,b,y,ac)
local gR=aj[a]and aj[a]>h
return not gR and b.algorithm.used(a,b)+y<=ac
end
local function cy(a,b,y,ac)
if aE then cv(a,b)end
if aJ[a]then return false end
if fB(a,b,y,ac)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ac-y)end
return false
end
local function eP(a,b,t,p)
b.algorithm.charge(a,b,t,p)
if aA[a]then cD(a,b,t,p)end
aS[a]=true
end
local function ga(a)
local b=F[a]
if not cy(a,b,b.ticks_per_unit,b.capacity_ticks)then
return da and da({{a,b.capacity_ticks-b.ticks_per_unit}})
end
eP(a,b,1,bF)
M=M+1
end
if not O then
for a=1,av do ga(a)end
else
local function br(a,b,i,ag)
i.advance(a,b)
local aB=i.is_aligned or i.holds_leases and c[a]>0
if not aB then e[a]=E(e[a],h)end
aj[a]=E(e[a],h)+ag
end
local function gM(a)
local K=aF[a]
if K and K[1]==0 then aF[a]={0,0,K[3],K[4]}end
end
local function gQ(a)
local db,ax,cz,bt=unpack(aF[a]or{0,0,0,0})
if db>0 or ax<=h then ax=0 end
if bt<=h then cz,bt=0,0 end
aF[a]=(ax>0 or cz>0)and{0,ax,cz,bt}or nil
end
local function fZ(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function hr(a,b,i)
if aj[a]and aj[a]<=h then aj[a]=nil end
gQ(a)
local ap={}
for R,m in ipairs(aA[a]or{})do
if aW[m]>h and fZ(m,F[m])then ap[#ap+1]=m
else bt[#bt+1]=A[m]
end
end
aA[a]=#ap>0 and ap or nil
if not fZ(a,b)then i.begin(a,b,0,0,h)end
end
local function gy(a,i,am,ag)
if i.show then i.show(a,n)end
ew=false
fP(a,aV[am],ag)
end
local function bL(S,a,I,dM)
local b=F[a]
local i=b.algorithm
if aJ[a]then return end
if aE then cv(a,b)end
if S==gs then i.settle(a,b,I,dM)
elseif S==gr then hr(a,b,i)
elseif S==gj then
gM(a)
br(a,b,i,I)
elseif S==gu then aj[a],aF[a]=nil,nil
elseif S==fc then gy(a,i,I,dM)
elseif S==gp and i.holds_leases then i.release(a,b,I,dM)
elseif S==fe and i.holds_leases then i.renew(a,b,I,dM)
end
if aE then cv(a,F[a])end
aS[a]=true
end
local dH={}
if bh and bh.penalties then
local gm=35
local function gw(a,eT)
local db,ax,cz,bt=unpack(aF[a]or{0,0,0,0})
if ax<=h then db=0 end
if db==0 then ax=h+eT end
if bt<=h then cz,bt=0,0 end
return{db+1,ax,cz,bt}
end
local function gD(a,ac)
local R,du,eT,cl,fL=unpack(O,dH[a],dH[a]+bD[fd]-1)
if du==0 or(aj[a]or 0)>h then return end
local K,b,i=gw(a,eT),F[a],F[a].algorithm
aF[a],aS[a]=K,true
if K[1]<du then return end
br(a,b,i,Y(cl*2^K[3],fL))
aF[a]={0,aj[a],Y(K[3]+1,gm),aj[a]+fL}
if i.note then i.note(a,b,ac)end
end
function da(cC)
for R,as in ipairs(cC)do
if aJ[as[1]]then return end
end
for R,as in ipairs(cC)do
if dH[as[1]]then gD(unpack(as))end
end
end
end
local function fi(f,bp)
if bp==1 then return O[f],1,0,0,bF end
return unpack(O,f,f+bp-1)
end
local function eQ(I,x,bp,fF)
local fg,cC=not fF,{}
for f=I,x,bp do
local a,t,cn,bQ=fi(f,bp)
local b=F[a]
if cn==1 and b.unreservable then bQ=b.unreservable end
local ac=cn==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
local y=E(1,t)*b.ticks_per_unit+bQ
if not cy(a,b,y,ac)then fg,cC[#cC+1]=false,{a,ac-y}end
end
if da and not fF then da(cC)end
for f=I,fg and x or 0,bp do
local a,t,R,R,p=fi(f,bp)
if t>0 then eP(a,F[a],t,p)end
M=M+1
end
end
local function eN(a,o)
local i=F[a].algorithm
if i.note_each and not aJ[a]then i.note_each(a,F[a],o)end
end
local function gI(f)
local a,t,cn,u,bX,al,bZ=unpack(O,f+1,f+bD[cs])
local b=F[a]
local i=b.algorithm
if aJ[a]then return end
if aE then cv(a,b)end
if al+bZ>0 then
local eI=i.report or i.advance
eI(a,b,f+1+bD[cs],al,bZ)
aS[a]=true
end
local ac=cn==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not fB(a,b,E(1,t)*b.ticks_per_unit,ac)then return end
if t>0 then eP(a,b,t,bF)end
local o=i.lend and i.lend(a,b,u,bX)or 0
if o>0 and aA[a]then cD(a,b,o,bF)end
aS[a],M=true,M+1+o
end
local f,x=1,#O
while f<=x do
local S,bp=O[f],gg(f)
if S>0 then ga(S)
elseif S==ci then eQ(f+1+bD[ci],f+bp-1,di)
elseif S==dt then eQ(f+1+bD[dt],f+bp-1,1)
elseif S==dW then eQ(f+1+bD[dW],f+bp-1,di,true)
elseif S==cs then gI(f)
elseif S==fd then dH[O[f+1]]=f+1
elseif S==gt then eN(O[f+1],O[f+2])
else bL(S,O[f+1],O[f+2],O[f+3])
end
f=f+bp
end
end
for a=1,ew and av or 0 do
local i=F[a].algorithm
if i.show and not aJ[a]then i.show(a,n)end
end
local function gK(a,D)
local G,c,e,g=F[a].definition,c[a],e[a],g[a]
local s,br,j,cB,r,aC,cQ=an[a],aj[a]or 0,0,"",nil,"",""
local i,aO=F[a].algorithm,nil
if i.divide then aC,cQ=i.divide(a)end
if br~=0 then j,cB=dS,P(eV,br)end
if D~=""then j,cB=j+eX,cB..P(fb,#D,D)end
if aC~=""then j,cB=j+eW,cB..aC end
if c<16777216 and g==c and not s then
if aO then r=P("<c0Bi6I3i6",G,j,e,c,aO)
else r=P("<c0Bi6I3",G,j,e,c)
end
else
local az,w="<c0Bi6I3",""
if c>=1099511627776 then az,j="<c0Bi6I7",j+2
elseif c>=16777216 then az,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bj
elseif g~=c then j,w=j+bG,P("<I7",g)
end
if s then j,w=j+bx,w..P("<I7",s)end
r=P(az,G,j,e,c)..w
end
return r..cB..cQ
end
local function ht(a)
local b,ak,D,ge=F[a],KEYS[a],"",0
local s,br=an[a]or 0,aj[a]or 0
local z,K=b.algorithm.reset_after(a,b),aF[a]
local gf=K and E(K[2],K[4])-h or 0
if K and gf<=0 and aZ==0 then aF[a]=nil end
if aA[a]or be[a]then D,ge=fx(a)
elseif aF[a]then D=cmsgpack.pack({aF[a]})
end
z=E(z,br-h,ge,gf)
if not(z>0 or aZ>0 and(c[a]>0 or s>0 or br>0 or K))then
if A[a]and A[a].is_apart then ad("UNLINK",A[a].key)end
return ad("DEL",ak)
end
local ae
ae=bO("%d",(z<au and z or au)+aZ)
ad("PSETEX",ak,ae,gK(a,D))
if b.algorithm.write then b.algorithm.write(a,ae)end
if aA[a]then gh(a,ae)end
end
local function hu()
for a=1,av do
if aS[a]and not aJ[a]then ht(a)end
end
for R,d in ipairs(bt)do
if d.is_apart then ad("UNLINK",d.key)end
end
end
local gW,U=pcall(hu)
if not gW then
local r=type(U)=="table"and U.err or U
M=nil
for l,bM in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aH(r,bM,1,true)then M=-l end
end
local bc=aH(r,"READONLY ",1,true)
if bc then return{err=string.sub(r,bc)}end
if not M then error(U,0)end
end
n[cH]=M
return n
`,
} as const;
