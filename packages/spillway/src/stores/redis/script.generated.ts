/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "b33df17eec8864607ce79a3643da1ce90af3c373",
  source: `local K,Y,bH,aC,gZ=struct.pack,struct.unpack,string.format,string.find,string.byte
local aa,bO,ab,H,ae,am=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local av=4503599627370496
local aP=4000
local bx=0
local bA,ag,ca,cB,eB,cW,dC,dA,dB,cb,fK,fJ,fD,fM,fI,eF,gW,cl,df,dD,fL,cV,da,dc,db,gX,gY,cA=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-11,-8,-9,-10,5,2,2,4,2,3,2
local bJ=ARGV[4]
local h,aX=tonumber(ARGV[bJ and 9 or 3]),3600000
if not h then
local fy=aa("TIME")
h,aX=fy[1]*1000+ae(fy[2]/1000),0
end
local bb,by,br,dz,eA,ez=4,8,16,32,64,128
local ey="<I7"
local eD="<I4c0"
local cU="<I4i7i6"
local dd,eG,af,cZ="<i6I4I7",17,3,256
local dI=bit.band
local function ei(
E,i,aZ,aS,cz,refill_per_ms,capacity_ticks,debt_ticks,au,cw
)
return{
numbers=au,bytes=#E+(i<ag and 16 or 10),
definition=E,kind=i,rate=aZ,period=aS,ticks_per_unit=cz,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cw,
}
end
local at=#KEYS
local aT,bp,ba,aY,cc,O
if not bJ then
aT=cjson.decode(ARGV[1])
for l=1,#aT do aT[l]=ei(unpack(aT[l]))end
if ARGV[2]and ARGV[2]~=""then bp=cjson.decode(ARGV[2])end
if bp then aY,cc,O=bp.owners,bp.anchors,bp.steps end
ba=aa("MGET",unpack(KEYS,1,ab(at,aP)))
for F=aP+1,at,aP do
local eM=aa("MGET",unpack(KEYS,F,ab(F+aP-1,at)))
for l=1,#eM do ba[F+l-1]=eM[l]end
end
end
if bJ or bp and bp.leases then
local bw,cY=17,16
local fE=10
local bZ,J,I,Q,f=string.sub,true,0,nil,1
local E,di,aj,aS,bk,z,c,e,F,U,t,r,bW
local bs,bv,dj,p,ac
local bf,u,Z,D,bV,N
if bJ then
E,di,aS,bk,U,t,r,bW=unpack(ARGV)
aj,aS,bk,U,t=#E+10,aS+0,bk+0,U+0,t+0
r,bW=(r or 1)+0,(bW or 0)+0
local eZ=bO("GET",KEYS[1])
J=type(eZ)~="table"
ba={J and eZ}
else
bf,u,Z,D,bV,N={h,0},{},{},{},{},{}
end
for a=1,J and at or 0 do
if not bJ then
local b=aT[aY and aY[a]or 1]
E,di,aj,aS,bk=b.definition,b.numbers,b.bytes,b.period,b.capacity_ticks
U,r=O[f],O[f+3]
if U==cb then bW,t,f=O[f+5],O[f+6],f+2+cV
else t,f=O[f+2],f+4
end
end
z,c,e,F=ba[a]or"",0,h,1
if z~=""then
local cK,bI,j=#z-aj,nil,nil
J=cK>0 and cK<=cY*bw and cK%bw==0
if J then
bI,j,e,c,F=Y(di,z)
J=bI==E and j==bb and e<=h
local q,m=Y("<i6I4",z,F)
while q and q<=h do
c,F,q=c-m,F+bw,nil
if F<#z then q,m=Y("<i6I4",z,F)end
end
end
end
if J then
local S,bc,dt,ai=bZ(z,F),e+aS,0,nil
bs,bv,dj,p,ac=nil,0,-2,nil,nil
if U==cb then
local ad=bk-H(1,r)-bW
if c<=ad then
I=I+1
if r>0 then
dt,ai=r,c+r
J=#S<cY*bw and ai<16777216 and not aC(S,K("<I7",t),1,true)
end
elseif ad>=0 then
local aA,cx=1,c-ad
while aA<#S do
local q,m=Y("<i6I4",S,aA)
if cx<=0 and q>bs then break end
bs,bv,cx,aA=q,bv+m,cx-m,aA+bw
end
end
else
ai=c
local aA=aC(S,K("<I7",t),1,true)
if aA then
aA=aA-fE
J=aA%bw==1
if J then bs,bv,dj=Y("<i6I4I7",S,aA)end
if J and bv==r then
S=bZ(S,1,aA-1)..bZ(S,aA+bw)
if U==eF then dt=r else ai=c-r end
end
end
end
if ai then
local w=nil
if dt>0 then
w=aS
p=K("<c0Bi6I3c0i6I4I7",E,bb,h,ai,S,h+aS,dt,t)
elseif ai==0 then
p=""
else
p=K("<c0Bi6I3c0",E,bb,e,ai,S)
if aX>0 then w=bc-h end
end
if w then
ac=bH("%d",(w<av and w or av)+aX)
end
end
end
if not J then break end
if not bJ then
local B=#bf
bf[B+1],bf[B+2],D[a],bV[a]=c,h-e,p,ac
if c>0 then
B=#u
u[B+1],u[B+2],u[B+3],u[B+4]=a,c,0,0
end
B=#Z
Z[B+1]=(bs and 1 or 0)+(c>bv and 1 or 0)
if bs then Z[B+2],Z[B+3],Z[B+4]=bs,bv,dj end
if c>bv then
local cR=#Z
Z[cR+1],Z[cR+2],Z[cR+3]=e+aS,c-bv,bs and-3 or-2
end
if not ba[a]then N[#N+1]=KEYS[a]end
end
end
if N and N[1]and J then
J=#N<=aP and aa("EXISTS",unpack(N))==0
end
if J then
for a=1,at do
if not bJ then p,ac=D[a],bV[a]end
if p and not Q then
local aK
if p==""then aK=bO("DEL",KEYS[a])
elseif ac then aK=bO("SET",KEYS[a],p,"PX",ac)
else aK=bO("SET",KEYS[a],p,"KEEPTTL")
end
Q=type(aK)=="table"and aK.err
end
end
if Q then
local p=type(Q)=="table"and Q.err or Q
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(Q,0)end
end
if bJ then
if not bs then return bH("%d,%d,%d,%d",h,I,c,h-e)end
return bH("%d,%d,%d,%d,%d,%d,%d",h,I,c,h-e,bs,bv,dj)
end
bf[cA],bf[#bf+1]=I,#u/db
for f=1,#u do bf[#bf+1]=u[f]end
for f=1,#Z do bf[#bf+1]=Z[f]end
return bf
elseif bJ then
aT={ei(E,cW,bk,aS,1,0,bk,0,di)}
O=U==cb and{cb,1,1,r,0,bW,t}or{U,1,t,r}
ba=aa("MGET",KEYS[1])
end
elseif not bp or bp.takes_units then
local J,N,v,I,u,Q=true,nil,{h,0},0,nil,nil
local D,bV={},{}
local M,bh,bN,bg,bT,ea,aQ
if O then
M,bh,bN,bg,bT,ea,aQ={},{},{},{},{},{},{}
end
for a=1,at do
local b,z=aT[aY and aY[a]or 1],ba[a]
local E,i,c,e,g,s,ar=b.definition,b.kind,0,h,0,nil,nil
if z then
local w,bI,j=nil,nil,nil
if#z==b.bytes then bI,j,e,c,ar=Y(b.numbers,z)end
if bI==E and j==0 then
g=c
elseif aC(z,E,1,true)==1 then
local f=#E+1
ar=nil
local aj,j=#z-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bm,bl=j%16>=by,j%32>=br
if aj<9+2*G+(bm and 7 or 0)+(bl and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=bb and 0 or c
if bm then g,f=Y("<I7",z,f)end
if bl then s,f=Y("<I7",z,f)end
end
end
else
f=nil
end
J=f==#z+1
else
J=false
end
if i>=ag and J then
if i<ag then
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
elseif i==ag then
w=c==0 and 0 or e+am(c/b.rate)*b.period-h
else
w=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
ar=w>0 and h+w or nil
end
else
N=N or{}
N[#N+1]=KEYS[a]
if i>=ag then e=h-(h-(cc and cc[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cB then J=false end
if not J then break end
local f=da+dc*(a-1)
v[f+1],v[f+2]=c,h-e
if s or g~=c then
u=u or{}
local B=#u
u[B+1],u[B+2],u[B+3],u[B+4]=a,c-g,s or 0,0
end
if O then
M[a],bh[a],bN[a],bg[a],bT[a],ea[a]=b,c,e,g,s,ar
else
local y,as
if i<ag then
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,as=c,b.ticks_per_unit
elseif i==ag then
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,as=c,1
else
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
s=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-H(0,h-e))end
as=1
end
if y+b.ticks_per_unit<=b.capacity_ticks then
c,g,I=c+as,g+as,I+1
local E,j,w,aF,aI,p,ac=b.definition,0,nil,false,nil,nil,nil
if i<ag then
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
elseif i==ag then
w=c==0 and 0 or e+am(c/b.rate)*b.period-h
else
w=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if aX==0 then aF=ar and h+w<=ar end
if i<ag and c<16777216 and g==c then
if aX==0 and not aF then
w=w+ae(w/4)
ar=h+w
end
aI=ar or h
end
if c<16777216 and g==c and not s then
if aI then p=K("<c0Bi6I3i6",E,j,e,c,aI)
else p=K("<c0Bi6I3",E,j,e,c)
end
else
local au,u="<c0Bi6I3",""
if c>=1099511627776 then au,j="<c0Bi6I7",j+2
elseif c>=16777216 then au,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bb
elseif g~=c then j,u=j+by,K("<I7",g)
end
if s then j,u=j+br,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
if not aF then
ac=bH("%d",(w<av and w or av)+aX)
end
D[a],bV[a]=p,ac
end
end
end
if N and J and(#N>aP or aa("EXISTS",unpack(N))>0)then J=false end
if J and O then
local f,B=1,#O
while f<=B do
local F,dh,cs=f,f,true
if O[f]==df then F,dh=f+2,f+1+O[f+1]end
for aA=F,dh do
local a=O[aA]
local b,c,e,g,s=M[a],bh[a],bN[a],bg[a],bT[a]
local i=b.kind
local y,as
if i<ag then
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,as=c,b.ticks_per_unit
elseif i==ag then
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,as=c,1
else
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
s=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-H(0,h-e))end
as=1
end
bh[a],bN[a],bg[a],bT[a]=c,e,g,s
cs=cs and y+b.ticks_per_unit<=b.capacity_ticks
end
for aA=F,cs and dh or 0 do
local a=O[aA]
local b=M[a]
local as=b.kind==ca and 1 or b.ticks_per_unit
bh[a],bg[a],aQ[a]=bh[a]+as,bg[a]+as,true
I=I+1
end
f=dh+1
end
for a=1,at do
if aQ[a]then
local b,c,e,g,s,ar=M[a],bh[a],bN[a],bg[a],bT[a],ea[a]
local i=b.kind
local E,j,w,aF,aI,p,ac=b.definition,0,nil,false,nil,nil,nil
if i<ag then
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
elseif i==ag then
w=c==0 and 0 or e+am(c/b.rate)*b.period-h
else
w=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
if aX==0 then aF=ar and h+w<=ar end
if i<ag and c<16777216 and g==c then
if aX==0 and not aF then
w=w+ae(w/4)
ar=h+w
end
aI=ar or h
end
if c<16777216 and g==c and not s then
if aI then p=K("<c0Bi6I3i6",E,j,e,c,aI)
else p=K("<c0Bi6I3",E,j,e,c)
end
else
local au,u="<c0Bi6I3",""
if c>=1099511627776 then au,j="<c0Bi6I7",j+2
elseif c>=16777216 then au,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bb
elseif g~=c then j,u=j+by,K("<I7",g)
end
if s then j,u=j+br,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
if not aF then
ac=bH("%d",(w<av and w or av)+aX)
end
D[a],bV[a]=p,ac
end
end
end
if J then
for a=1,at do
if D[a]then
local aK
if bV[a]then aK=bO("PSETEX",KEYS[a],bV[a],D[a])
else aK=bO("SET",KEYS[a],D[a],"KEEPTTL")
end
Q=Q or aK.err
end
end
if Q then
local p=type(Q)=="table"and Q.err or Q
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(Q,0)end
end
v[cA],v[#v+1]=I,u and#u/db or 0
for f=1,u and#u or 0 do v[#v+1]=u[f]end
return v
end
elseif bp.lends then
local cQ,bZ,bu=string.rep,string.sub,table.remove
local fC={[dC]=bA,[dA]=ag,[dB]=ca}
local J,N,v,I,u,Q=true,nil,{h,0},0,nil,nil
for V,b in ipairs(aT)do
b.base=fC[b.kind]or b.kind
b.unit=b.base==ca and 1 or b.ticks_per_unit
end
local M,bh,bN,bg,bT,dx,aQ={},{},{},{},{},{},{}
local dv,dn,cy={},{},{}
local X={}
for a=1,at do
local b,z=aT[aY and aY[a]or 1],ba[a]
local E,i,c,e,g,s=b.definition,b.base,0,h,0,nil
local k,ak,r=nil,0,0
if not z then
N=N or{}
N[#N+1]=KEYS[a]
if i>=ag then e=h-(h-(cc and cc[a]or 0))%b.period end
elseif aC(z,E,1,true)==1 then
local f=#E+1
local aj,j=#z-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bm,bl=j%16>=by,j%32>=br
if aj<9+2*G+(bm and 7 or 0)+(bl and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=bb and 0 or c
if bm then g,f=Y("<I7",z,f)end
if bl then s,f=Y("<I7",z,f)end
end
end
else
f=nil
end
if i==b.kind and i<ag and f==#z-5 then f=#z+1 end
if f then r=(#z+1-f)/eG end
J=f and(r==0 or j<dz and i~=b.kind and r%1==0 and r<=cZ)
if J and r>0 then
cy[a]=bZ(z,f)
k={Y(cQ(dd,r),cy[a])}
k[#k]=nil
for l=2,#k,af do ak=ak+k[l]end
end
else
J=false
end
if e>h or b.rate==0 or i>=cB then J=false end
if not J then break end
local aA=da+dc*(a-1)
v[aA+1],v[aA+2]=c,h-e
if s or g~=c then
u=u or{}
local B=#u
u[B+1],u[B+2],u[B+3],u[B+4]=a,c-g,s or 0,0
end
if i~=b.kind then
local B=#X+1
X[B]=k and#k/af or 0
for l=1,k and#k or 0 do X[B+l]=k[l]end
end
if k and i==bA then
local an=ak*b.ticks_per_unit
local l,aU=1,H(h,e)
while l<#k and k[l]<=aU do
local q=k[l]
if q>e then
c,e=H(an,c-(q-e)*b.refill_per_ms),q
end
an,l=an-k[l+1]*b.ticks_per_unit,l+af
end
if h>e then c,e=H(an,c-(h-e)*b.refill_per_ms),h end
g,dx[a]=ab(g,c-an),c
else
local y,as
if i<ag then
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,as=c,b.ticks_per_unit
elseif i==ag then
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,as=c,1
else
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
s=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-H(0,h-e))end
as=1
end
dx[a]=y
end
while k and k[1]and k[1]<=h do
ak,cy[a]=ak-k[2],nil
for V=1,af do bu(k,1)end
end
M[a],bh[a],bN[a],bg[a],bT[a]=b,c,e,g,s
dv[a],dn[a]=k,ak
end
if N and J and(#N>aP or aa("EXISTS",unpack(N))>0)then J=false end
if J then
local f,B=1,O and#O or at
while f<=B do
local a,r,cv,t,bP,ai,bS=O and O[f]or f,1,0,0,0,0,0
f=f+1
if a==cl then
a,r,cv,t,bP,ai,bS=unpack(O,f,f+6)
f=f+7
end
local b,k,ak=M[a],dv[a],dn[a]
local c,y,g=bh[a],dx[a],bg[a]
local as,cz=b.unit,b.ticks_per_unit
if ai+bS>0 then
k,aQ[a]=k or{},true
local bL,bY=0,0
for cS=1,ai+bS do
local en,m,l=O[f],O[f+1],af
while k[l]and k[l]~=en do l=l+af end
if k[l]then
local s=k[l-1]
local ck=ab(s,m)
local aF=cS>ai and 0 or ck
k[l-1],ak,bY=aF,ak-s+aF,bY+s-ck
if cS>ai then bL=bL+ck end
for V=1,aF==0 and af or 0 do bu(k,l-2)end
end
f=f+2
end
c,y,g=c-bL*as,y-bL*cz,g+bY*as
if bL+bY>0 then cy[a]=nil end
end
local ad=cv==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if y+H(1,r)*cz<=ad then
c,y,g=c+r*as,y+r*cz,g+r*as
aQ[a],I=true,I+1
if bP>0 and b.share then
local cf=h+b.share
if b.base~=bA then cf=ab(cf,bN[a]+b.period)end
k=k or{}
local m=0
if bP>0 and#k<af*cZ then
local dV=ae(b.capacity_ticks/b.ticks_per_unit/2)
m=ab(bP,am(ae((b.capacity_ticks-y)/b.ticks_per_unit)/2),dV-ak)
end
if m>0 then
local P,q=m,H(cf,k[#k-2]or cf)
for l=#k,af,-af do
if k[l]==t then
P=P+k[l-1]
for V=1,af do bu(k,l-2)end
end
end
local B=#k
k[B+1],k[B+2],k[B+3]=q,P,t
ak=ak+m
else
m=0
end
if m>0 then cy[a]=nil end
c,y,I=c+m*as,y+m*cz,I+m
end
end
bh[a],dx[a],bg[a],dv[a],dn[a]=c,y,g,k,ak
end
for a=1,at do
if aQ[a]and not Q then
local b,c,e,g,s=M[a],bh[a],bN[a],bg[a],bT[a]
local E,i,j,w,p=b.definition,b.base,0,nil,nil
local k,aI=dv[a],nil
local fc=k and k[1]
if fc and i==bA then
local an=dn[a]*b.ticks_per_unit
local bK,q=c,e
for l=1,#k,af do
if k[l]>e then
bK=H(an,bK-(k[l]-q)*b.refill_per_ms)
q,an=k[l],an-k[l+1]*b.ticks_per_unit
end
end
w=bK<=0 and 0 or q+am(bK/b.refill_per_ms)-h
else
if i<ag then
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
elseif i==ag then
w=c==0 and 0 or e+am(c/b.rate)*b.period-h
else
w=c>0 and e+2*b.period-h or s and e+b.period-h or 0
end
end
local aK,ac
if w<=0 then
aK=bO("DEL",KEYS[a])
else
if c<16777216 and g==c and not s then
if aI then p=K("<c0Bi6I3i6",E,j,e,c,aI)
else p=K("<c0Bi6I3",E,j,e,c)
end
else
local au,u="<c0Bi6I3",""
if c>=1099511627776 then au,j="<c0Bi6I7",j+2
elseif c>=16777216 then au,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bb
elseif g~=c then j,u=j+by,K("<I7",g)
end
if s then j,u=j+br,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
ac=bH("%d",(w<av and w or av)+aX)
if fc then
p=p..(cy[a]or K(cQ(dd,#k/af),unpack(k)))
end
aK=bO("PSETEX",KEYS[a],ac,p)
end
if type(aK)=="table"then Q=aK.err end
end
end
if Q then
local p=type(Q)=="table"and Q.err or Q
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(Q,0)end
end
v[cA],v[#v+1]=I,u and#u/db or 0
for f=1,u and#u or 0 do v[#v+1]=u[f]end
for f=1,#X do v[#v+1]=X[f]end
return v
end
elseif bp.logs then
local bQ,aL,fF,bz="<i6I7",13,416,9007199254740992
local bZ=string.sub
local J,N,v,I,u,Z,Q=true,nil,{h,0},0,{},{},nil
local D,dS={},{}
for a=1,at do
local b,z=aT[aY and aY[a]or 1],ba[a]
local E,c,e,g,s,S,B,R=b.definition,0,h,0,nil,"",h,0
local r=#Z+1
Z[r]=0
if z then
if aC(z,E,1,true)==1 then
local f=#E+1
local aj,j=#z-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bm,bl=j%16>=by,j%32>=br
if aj<9+2*G+(bm and 7 or 0)+(bl and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=bb and 0 or c
if bm then g,f=Y("<I7",z,f)end
if bl then s,f=Y("<I7",z,f)end
end
end
else
f=nil
end
local eW=f and#z+1-f or 0
J=f and j<br and eW>0 and eW%aL==0
if J then
local F,bo,q,bt=f,h-b.period,nil,nil
B,R=Y(bQ,z,#z-aL+1)
local co=R-c
if co<0 then co=co+bz end
q,bt=Y(bQ,z,F)
while q<=bo and F<#z do
co,F=bt,F+aL
if F<#z then q,bt=Y(bQ,z,F)end
end
c=R-co
if c<0 then c=c+bz end
if g>c then g=c end
S=bZ(z,F)
if c>0 then
local m=bt-co
if m<0 then m=m+bz end
Z[r+1],Z[r+2]=q,m
if m<c then Z[r+3],Z[r+4]=B,c-m end
Z[r]=(r-#Z)/2
elseif S~=""then
J=false
end
end
else
J=false
end
else
N=N or{}
N[#N+1]=KEYS[a]
end
local fb=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or fb and#S>fF-aL then J=false end
if not J then break end
local f=da+dc*(a-1)
v[f+1],v[f+2]=c,h-e
if g~=c then
local f=#u
u[f+1],u[f+2],u[f+3],u[f+4]=a,c-g,0,0
end
if fb then
local j,aI,w,ac,p=0,nil,b.period,nil,nil
if S==""then R=1
else
R=R>=bz-1 and R-(bz-1)or R+1
if B==h then S=bZ(S,1,-aL-1)end
end
c,g,e,I=c+1,g+1,h,I+1
if c<16777216 and g==c and not s then
if aI then p=K("<c0Bi6I3i6",E,j,e,c,aI)
else p=K("<c0Bi6I3",E,j,e,c)
end
else
local au,u="<c0Bi6I3",""
if c>=1099511627776 then au,j="<c0Bi6I7",j+2
elseif c>=16777216 then au,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bb
elseif g~=c then j,u=j+by,K("<I7",g)
end
if s then j,u=j+br,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
D[a]=p..S..K(bQ,h,R)
if not dS[b]then
ac=bH("%d",(w<av and w or av)+aX)
dS[b]=ac
end
end
end
if N and J and(#N>aP or aa("EXISTS",unpack(N))>0)then J=false end
if J then
for a=1,at do
if D[a]then
local aK=bO("PSETEX",KEYS[a],dS[aT[aY and aY[a]or 1]],D[a])
Q=Q or aK.err
end
end
if Q then
local p=type(Q)=="table"and Q.err or Q
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(Q,0)end
end
v[cA],v[#v+1]=I,#u/db
for f=1,#u do v[#v+1]=u[f]end
for f=1,#Z do v[#v+1]=Z[f]end
return v
end
end
local M,c,e,g={},{},{},{}
local al,ap,x,aE,bq={},{},{},{},{}
local dw,cE,cH,dW={},{},{},{}
local aG,aQ={},{}
local bM,dT={},{}
local cw,cp,eV,fB,dM
local cL,cM
local function bX(a)
aG[a],c[a],e[a],g[a]=true,-1,h,0
end
local function fV(a,j,f)
local z=ba[a]
if dI(j,dz)~=0 then ap[a],f=Y(ey,z,f)end
if dI(j,eA)~=0 then dw[a],f=Y(eD,z,f)end
if dI(j,ez)~=0 then
cE[a]={Y(cU,z,f)}
f=cE[a][4]
end
cH[a]=string.sub(z,f)
end
local bD,bB,bC=c,e,g
local function eS(a,cK)
local z,f,c,e,g,s=ba[a],cK+1,nil,nil,nil,nil
local aj,j=#z-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bm,bl=j%16>=by,j%32>=br
if aj<9+2*G+(bm and 7 or 0)+(bl and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=bb and 0 or c
if bm then g,f=Y("<I7",z,f)end
if bl then s,f=Y("<I7",z,f)end
end
end
else
f=nil
end
if not f then return false end
bD[a],bB[a],bC[a],al[a]=c,e,g,s
return f>#z or pcall(fV,a,j,f)
end
local N,aD,aO={},nil,{}
for V,b in ipairs(aT)do aO[b.kind]=true end
for a=1,at do
local b,z=aT[aY and aY[a]or 1],ba[a]
M[a]=b
if not z then
N[#N+1]=a
else
local gl=aC(z,b.definition,1,true)==1 and eS(a,#b.definition)
if not gl or dw[a]or e[a]>h then
aD=aD or{}
aD[#aD+1]=a
end
end
end
local bR,fA
if O then
bR={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fA(f)
local U,eJ=O[f],O[f+1]
if U>0 then return 1 end
if U==cl then return 1+bR[cl]+2*(O[f+6]+O[f+7])end
local gk=U==cb or U==dD
return 1+bR[U]+(gk and cV*eJ or U==df and eJ or 0)
end
end
local aN={}
local function cC(a,i,bE)
c[a]=c[a]+bE
if i.record and bE~=0 then i.record(a,bE)end
end
local function fR(a,b,r)
local i,fw=b.algorithm,r*b.counts_per_unit
i.advance(a,b)
cC(a,i,fw)
g[a]=g[a]+fw
end
local function gL(a,b,fq,gB)
local i,dR=b.algorithm,gB-fq
i.advance(a,b)
local ad=(i.most_counts and i.most_counts(b)or av)-c[a]-(al[a]or 0)
local gp=i.queues and 0 or-g[a]
cC(a,i,H(gp,ab(dR*b.counts_per_unit,H(0,ad))))
g[a]=ab(H(0,g[a]-fq*b.counts_per_unit),c[a])
if dR>0 and aE[a]then cw(a,b,dR,bx)end
end
local function fP(a,b,y,cP,f)
local i,fx=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],al[a]=0,i.is_aligned and f-(f-(cc and cc[a]or 0))%b.period or f,nil
cC(a,i,am(y/fx))
g[a]=ae(cP/fx)
end
local function gn(a,b,C)
local i=b.algorithm
if not i.has_history or b.period~=C.period then return false end
local function ft(E)return string.match(E,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return ft(b.definition)==ft(C.definition)and i.used(a,b)<=b.capacity_ticks
end
local function aZ(i)
i.charge,i.settle,i.begin,i.keep=fR,gL,fP,gn
return i
end
local function eK(b)
b.algorithm=aN[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local ec=aO[dC]or aO[dA]or aO[dB]
if ec then aO[bA],aO[ag],aO[ca]=true,true,true end
if aD or aO[bA]then
local aB={is_reservable=true}
local function dU(az,o)
while o~=0 do az,o=o,az%o end
return az
end
function aB.define(b)
local cT=dU(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cT,b.rate/cT
end
function aB.used(a,b)
local c,e,g=c[a],e[a],0
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bD,bB,bC=c,e,g
function aB.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bD[a],bB[a],bC[a]=c,e,g
end
function aB.reset_after(a,b)
local c,e,g,w=c[a],e[a],0,nil
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
return w
end
aN[bA]=aZ(aB)
end
if aD or aO[ag]then
local aJ={is_aligned=true,is_reservable=true}
function aJ.used(a,b)
local c,e,g=c[a],e[a],0
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bD,bB,bC=c,e,g
function aJ.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bD[a],bB[a],bC[a]=c,e,g
end
function aJ.reset_after(a,b)
local c,e,g,w=c[a],e[a],0,nil
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
w=c==0 and 0 or e+am(c/b.rate)*b.period-h
return w
end
function aJ.most_counts(b)
return b.rate==0 and av or ab(av,ae(av/b.period)*b.rate)
end
aN[ag]=aZ(aJ)
end
if aD or aO[ca]then
local aJ={is_aligned=true,has_history=true,counts_units=true}
function aJ.define(b)
b.ticks_per_unit=b.period
end
function aJ.used(a,b)
local c,e,g,s,y=c[a],e[a],0,al[a],nil
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
s=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if s then y=y+s*(b.period-H(0,h-e))end
return y
end
local bD,bB,bC=c,e,g
function aJ.advance(a,b)
local c,e,g,s=c[a],e[a],g[a],al[a]
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
s=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
bD[a],bB[a],bC[a],al[a]=c,e,g,s
end
function aJ.reset_after(a,b)
local c,e,g,s,w=c[a],e[a],0,al[a],nil
local A=h-e
if A>=b.period then
local T=ae(A/b.period)
s=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
w=c>0 and e+2*b.period-h or s and e+b.period-h or 0
return w
end
function aJ.most_counts(b)
return ae(av/b.period)
end
aN[ca]=aZ(aJ)
end
if aD or aO[cB]then
function cL(a,b)
return(string.gsub(KEYS[dW[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cF(aM,ah)
local D=redis.pcall(aM,ah,0,0)
if not D.err then return D end
if not aC(D.err,"WRONGTYPE",1,true)then error(D.err)end
end
function cM(ah,aM,aj)
local D=cF(aM,ah)
if not D then return false end
if D[1]and#D[1]~=aj then return false end
if D[1]then aa("UNLINK",ah)end
return true
end
local function dZ(a,d,aM,aj)
local D=cF(aM,d.key)
if not D or D[1]and#D[1]~=aj then return bX(a)end
return D[1]~=nil
end
local function cq(aM,ah,cd)
for F=1,#cd,aP do
aa(aM,ah,unpack(cd,F,ab(F+aP-1,#cd)))
end
end
local function aU(a)
return H(e[a],h)
end
local function es(ep)
local aW={}
for ah in pairs(ep)do aW[#aW+1]=ah end
table.sort(aW)
return aW
end
local bQ,aL,bz="<i6I7",13,9007199254740992
local bj=32
local cm=bj*aL
local dF=1024
local ax={has_history=true,keeps_list=true}
local function gw(R,m)
return R>=bz-m and R-(bz-m)or R+m
end
local function cg(R,dQ)
return R<dQ and R-dQ+bz or R-dQ
end
local function fn(d,eh)
local p=d.read[eh]
if not p then
p=aa("LINDEX",d.key,eh-1)
d.read[eh]=p
end
return p
end
local function bU(d,ao)
local p,ef=d.tail,(ao-d.pages*bj-1)*aL
if ef<0 then p,ef=fn(d,am(ao/bj)),(ao-1)%bj*aL end
local q,R=Y(bQ,p,ef+1)
return q-d.shift,R
end
local function ci(d,ao)
if ao==d.head then return d.base end
local V,R=bU(d,ao)
return R
end
local function fh(d,q)
local aH,aR=d.head,d.length
if aH==aR or bU(d,aH+1)>q then return aH end
while aH<aR do
local bn=am((aH+aR)/2)
if bU(d,bn)<=q then aH=bn else aR=bn-1 end
end
return aH
end
local function fg(d,m)
local aH,aR=d.head,d.length
while aH<aR do
local bn=am((aH+aR)/2)
if cg(d.sum,ci(d,bn))>=m then aH=bn else aR=bn-1 end
end
return aH
end
local function eq(d,S)
d.tail,d.length=S,d.pages*bj+#S/aL
d.sum=d.length>d.head and select(2,bU(d,d.length))or d.base
end
local function eH(d,q,R)
d.tail=d.tail..K(bQ,q+d.shift,R)
d.length,d.sum=d.length+1,R
end
function ax.open(a,b)
local ah=cL(a,b)
local dX=x[a]and x[a].key==ah and x[a].is_apart
x[a]={
key=ah,is_apart=dX,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return x[a]
end
function ax.load(a,b)
local d,aw,S=ax.open(a,b),cE[a],cH[a]or""
if#S%aL~=0 then return bX(a)end
if aw then
d.pages,d.head,d.shift=aw[1],aw[2],aw[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not dZ(a,d,"LRANGE",cm)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
S=K(bQ,e[a]+d.shift,c[a])
end
eq(d,S)
d.base=cg(d.sum,c[a])
end
local function dl(a,b)
local d,bo=x[a],aU(a)-b.period
if d.over~=bo then d.over,d.last_over=bo,fh(d,bo)end
return d.last_over
end
function ax.used(a,b)
local d=x[a]
return cg(d.sum,ci(d,dl(a,b)))
end
function ax.advance(a,b)
local d,bo=x[a],dl(a,b)
d.base=ci(d,bo)
d.head=bo
c[a]=cg(d.sum,d.base)
g[a]=ab(g[a],c[a])
end
function ax.reset_after(a,b)
local d=x[a]
if d.length==d.head then return 0 end
return H(0,bU(d,d.length)+b.period-h)
end
local function gx(a,m)
local d,q=x[a],aU(a)
local R=gw(d.sum,m)
if d.length==d.head then d.base,R=0,m end
if d.length>d.head and bU(d,d.length)==q then
d.tail,d.length=string.sub(d.tail,1,-aL-1),d.length-1
end
eH(d,q,R)
e[a]=q
end
local function gS(d,ao)
if ao<=d.pages*bj then
local ew=H(0,am(ao/bj)-1)
local S=ao>0 and string.sub(fn(d,ew+1),1,(ao-ew*bj)*aL)or""
d.pages=ew
return eq(d,S)
end
eq(d,string.sub(d.tail,1,(ao-d.pages*bj)*aL))
end
local function gQ(a,m)
local d=x[a]
local B,R=fg(d,m),cg(d.sum,m)
d.cuts[B],d.cuts[B+1]=true,true
local q=B<d.length and R~=ci(d,B)and bU(d,B+1)
gS(d,B)
if q then eH(d,q,R)end
end
function ax.record(a,bE)
if bE>0 then gx(a,bE)else gQ(a,-bE)end
end
function ax.note(a,b,ad)
local d=x[a]
if ap[a]and ap[a]>h then d.cuts[fh(d,H(e[a],ap[a])-b.period)]=true end
if ad>=0 and ax.used(a,b)>ad then d.cuts[fg(d,ad+1)+1]=true end
end
function ax.note_each(a,b,m)
local d,ao=x[a],dl(a,b)
local s,ad=ci(d,ao),ax.used(a,b)+m-b.capacity_ticks
while ao<d.length and cg(ci(d,ao),s)<ad do
ao=ao+1
d.cuts[ao]=true
end
bM[a].is_whole=ao==d.length
if not bM[a].is_whole then ax.note(a,b,-1)end
end
function ax.see(a,b)
local d,bo=x[a],dl(a,b)
bM[a]={
key=d.key,pages=d.pages,head=bo,base=ci(d,bo),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function ax.show(a,v)
local X,r=bM[a],#v+1
local R,Z=X.base,0
if X.length>X.head then X.cuts[X.head+1],X.cuts[X.length]=true,true end
v[r]=0
for V,ao in ipairs(es(X.cuts))do
if ao>X.head and ao<=X.length then
local q,bt=bU(X,ao)
v[#v+1],v[#v+2]=q,cg(bt,R)
R,Z=bt,Z+1
end
end
v[r]=X.is_whole and Z or-Z
end
function ax.divide(a)
local d=x[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=ab(ae(d.head/bj),d.pages,dF)
d.kept=d.pages-d.dropped
local bI,S,ds=d.head-d.dropped*bj,d.tail,{}
if d.kept==0 then bI,S=0,string.sub(S,bI*aL+1)end
local dY=nil
while#S>cm do
if dY==nil then dY=d.is_apart or cM(d.key,"LRANGE",cm)end
if not dY then break end
ds[#ds+1],S=string.sub(S,1,cm),string.sub(S,cm+1)
end
d.pushed=ds
local fo=d.kept+#ds
return(fo>0 or d.shift~=0)and K(cU,fo,bI,d.shift)or"",S
end
function ax.write(a,ac)
local d=x[a]
if d.is_apart and d.kept==0 then aa("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
aa("LTRIM",d.key,d.dropped,d.pages-1)
end
cq("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then aa("PEXPIRE",d.key,ac)end
end
function ax.rewind(a,ay)
x[a].shift,x[a].over=x[a].shift+ay,nil
end
aN[cB]=aZ(ax)
local gK=ax.keep
function ax.keep(a,b,C)
if not gK(a,b,C)then return false end
dM(a,b,"LRANGE",cm)
return true
end
end
if aD or aO[eB]then
local aB={is_reservable=true}
local function dU(az,o)
while o~=0 do az,o=o,az%o end
return az
end
function aB.define(b)
local cT=dU(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cT,b.rate/cT
end
function aB.used(a,b)
local c,e,g=c[a],e[a],0
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bD,bB,bC=c,e,g
function aB.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bD[a],bB[a],bC[a]=c,e,g
end
function aB.reset_after(a,b)
local c,e,g,w=c[a],e[a],0,nil
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
return w
end
aB.queues=true
aN[eB]=aZ(aB)
end
if aD or aO[cW]then
function cL(a,b)
return(string.gsub(KEYS[dW[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cF(aM,ah)
local D=redis.pcall(aM,ah,0,0)
if not D.err then return D end
if not aC(D.err,"WRONGTYPE",1,true)then error(D.err)end
end
function cM(ah,aM,aj)
local D=cF(aM,ah)
if not D then return false end
if D[1]and#D[1]~=aj then return false end
if D[1]then aa("UNLINK",ah)end
return true
end
local function dZ(a,d,aM,aj)
local D=cF(aM,d.key)
if not D or D[1]and#D[1]~=aj then return bX(a)end
return D[1]~=nil
end
local function cq(aM,ah,cd)
for F=1,#cd,aP do
aa(aM,ah,unpack(cd,F,ab(F+aP-1,#cd)))
end
end
local function aU(a)
return H(e[a],h)
end
local function es(ep)
local aW={}
for ah in pairs(ep)do aW[#aW+1]=ah end
table.sort(aW)
return aW
end
local cX,dE,de="<I7B",8,35184372088832
local dF=128
local function ch(G,q)
return bH("%.0f",(G-1)*de+q)
end
local function dP(m,ev)
local G=1
while m>0 do
if m%2==1 then ev(G)end
m,G=ae(m/2),G+1
end
end
local function fS(d,q)
local m,fO=0,H(0,d.floor+d.shift+1)
for G=1,d.sizes do
local bd=aa("ZCOUNT",d.key,ch(G,fO),ch(G,q+d.shift))
m=m+2^(G-1)*bd
end
return m
end
local function gA(d,t)
local bd={}
for G=1,d.sizes do bd[G]=K(cX,t,G)end
local n={units=0,id=t}
for G,p in ipairs(#bd>0 and aa("ZMSCORE",d.key,unpack(bd))or{})do
if p then
n.units=n.units+2^(G-1)
n.instant=tonumber(p)-(G-1)*de-d.shift
end
end
return n.units>0 and n or nil
end
local function gM(d,bc)
for G=1,d.sizes do
local F,B,be=ch(G,bc+d.shift),ch(G+1,-1),{}
for V,gs in ipairs(aa("ZRANGEBYSCORE",d.key,"("..F,B))do
be[#be+1],be[#be+2]=F,gs
end
cq("ZADD",d.key,be)
end
end
local function gz(d)
local dK,P,D={},{},aa("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#D,2 do
local t,G=Y(cX,D[f])
local n=dK[t]or{units=0,id=t}
n.instant=tonumber(D[f+1])-(G-1)*de-d.shift
n.units=n.units+2^(G-1)
if not dK[t]then dK[t],P[#P+1]=n,n end
end
return P
end
local function gV(d,gD,cD)
local bd,be={},{}
for t,n in pairs(gD)do
dP(n.units,function(G)bd[#bd+1]=K(cX,t,G)end)
end
for V,n in pairs(cD)do
dP(n.units,function(G)
be[#be+1],be[#be+2]=ch(G,n.instant+d.shift),K(cX,n.id,G)
end)
end
cq("ZREM",d.key,bd)
cq("ZADD",d.key,be)
return#be/2
end
local function ga(d,cD)
local ai=dF+cD
for G=1,d.sizes do
local F,B=ch(G,0),ch(G,H(-1,d.floor+d.shift))
local bd=ai>0 and aa("ZRANGEBYSCORE",d.key,F,B,"LIMIT",0,ai)or{}
cq("ZREM",d.key,bd)
ai=ai-#bd
end
end
local eC,bw="<i6I4I7",17
local fH=-de
local cY=16
local W={holds_leases=true,keeps_list=true}
function W.open(a,b)
local ah=cL(a,b)
local dX=x[a]and x[a].key==ah and x[a].is_apart
x[a]={
key=ah,is_apart=dX,shift=0,cuts={},kept={},sizes=0,floor=fH,
found={},removed={},added={},
}
return x[a]
end
function W.load(a,b)
local d,aw,p=W.open(a,b),cE[a],cH[a]or""
if#p%bw~=0 then return bX(a)end
local f=1
while f<=#p do
local n={}
n.instant,n.units,n.id,f=Y(eC,p,f)
d.kept[#d.kept+1]=n
end
if not aw then return end
d.sizes,d.floor,d.shift=aw[1],aw[2],aw[3]
d.is_apart,d.kept=true,nil
if dZ(a,d,"ZRANGE",dE)or aG[a]then return end
W.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bx}
end
local function eQ(d,q)
if q<=d.floor then return 0 end
if not d.kept then return fS(d,q)end
local m=0
for V,n in ipairs(d.kept)do
if n.instant>q then break end
if n.instant>d.floor then m=m+n.units end
end
return m
end
local function dN(P,d,q)
local m=0
for V,n in pairs(P)do
if n.instant>d.floor and n.instant<=q then m=m+n.units end
end
return m
end
local function eR(d,q)
return eQ(d,q)-dN(d.removed,d,q)+dN(d.added,d,q)
end
local function fT(a)
local d,q=x[a],aU(a)
if q<=d.floor then return 0 end
if d.over~=q then d.over,d.units_over=q,eR(d,q)end
return d.units_over
end
function W.used(a)
return c[a]-fT(a)
end
function W.advance(a)
c[a]=W.used(a)
x[a].floor=H(x[a].floor,aU(a))
end
local function gd(d,t)
for V,n in ipairs(d.kept)do
if n.id==t then return n end
end
end
local function ge(d,t)
if d.found[t]==nil then
d.found[t]=(d.kept and gd or gA)(d,t)or false
end
return d.found[t]or nil
end
local function eY(d,t)
local n=d.added[t]or not d.removed[t]and ge(d,t)or nil
return n and n.instant>d.floor and n or nil
end
local function bu(d,t)
local n=eY(d,t)
if not n then return 0 end
if d.added[t]then d.added[t]=nil else d.removed[t]=n end
return n.units
end
local function cC(a,t,m,q)
local d=x[a]
local s=bu(d,t)
d.added[t]={instant=q,units=s+m,id=t}
end
function W.charge(a,b,m,t)
W.advance(a)
e[a]=aU(a)
cC(a,t,m,e[a]+b.period)
c[a]=c[a]+m
end
W.settle=W.advance
function W.reset_after(a,b)
return W.used(a)==0 and 0 or e[a]+b.period-h
end
function W.begin(a,b,y,V,f)
W.open(a,b)
c[a],e[a],al[a],g[a]=0,f,nil,0
if y>0 then W.charge(a,b,y,bx)end
end
local function eL(ar,ay,bc)
local P={}
for l,n in ipairs(ar)do
P[l]={instant=ab(n.instant-ay,bc),units=n.units,id=n.id}
end
return P
end
function W.keep(a,b,C)
dM(a,b,"ZRANGE",dE)
W.advance(a)
local d,bc=x[a],aU(a)+b.period
if d.kept then d.kept=eL(d.kept,0,bc)
elseif b.period<C.period and not aG[a]then gM(d,bc)
end
e[a]=aU(a)
return true
end
local function fm(P,ay)
local fl={}
for t,n in pairs(P)do fl[t]={instant=n.instant-ay,units=n.units,id=t}end
return fl
end
function W.rewind(a,ay)
local d=x[a]
d.floor,d.over,d.found=d.floor-ay,nil,{}
d.added,d.removed=fm(d.added,ay),fm(d.removed,ay)
if d.kept then d.kept=eL(d.kept,ay,math.huge)else d.shift=d.shift+ay end
end
local function ek(a,t,r)
W.advance(a)
local d=x[a]
local n=eY(d,t)
if not n or n.units~=r then return false end
c[a]=c[a]-bu(d,t)
return true
end
local function fp(a,b,t,r)
local cI=ek(a,t,r)
if cI then W.charge(a,b,r,t)end
return cI
end
local function eU(a,ev)
for V,o in ipairs(aE[a]or{})do
if M[o].algorithm==W then ev(o,M[o])end
end
end
function W.release(a,V,t,r)
eU(a,function(o)ek(o,t,r)end)
ek(a,t,r)
end
function W.renew(a,b,t,r)
if not fp(a,b,t,r)then return end
eU(a,function(o,fe)
if not fp(o,fe,t,r)then W.charge(o,fe,r,t)end
end)
end
local function gc(a,b,m)
local d,aH,aR=x[a],aU(a),e[a]+b.period
for V,n in ipairs(d.kept or{})do
local cI=n.instant>d.floor and not d.removed[n.id]
if cI then m=m-n.units end
if cI and m<=0 then return n.instant end
end
if d.kept then return aR end
while aH+1<aR do
local bn=ae((aH+aR)/2)
if eR(d,bn)>=m then aR=bn else aH=bn end
end
return aR
end
function W.note(a,b,ad)
local d=x[a]
if ap[a]and ap[a]>h then d.cuts[H(e[a],ap[a])]=true end
if ad>=0 and W.used(a)>ad then d.cuts[gc(a,b,c[a]-ad)]=true end
end
function W.note_each(a)
bM[a].is_whole=true
end
function W.see(a,b)
local d=x[a]
bM[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=H(d.floor,aU(a)),
used=W.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function gu(X)
local fs,P=X.found,{}
if X.is_whole then fs=X.kept or gz(X)end
for V,n in pairs(fs)do
if n and n.instant>X.floor then P[#P+1]=n end
end
table.sort(P,function(az,o)return az.instant<o.instant end)
return P
end
function W.show(a,v)
local X,r,Z,R,cO=bM[a],#v+1,0,0,1
local eb=gu(X)
local function fr(q,m,t)
v[#v+1],v[#v+2],v[#v+3]=q,m,t
Z=Z+1
end
v[r],X.cuts[X.latest]=0,true
for V,cr in ipairs(es(X.cuts))do
if cr>X.floor and cr<=X.latest then
local bt=cr==X.latest and X.used or eQ(X,cr)
local L=bt-R
while eb[cO]and eb[cO].instant<=cr do
local n=eb[cO]
fr(n.instant,n.units,n.id)
L,cO=L-n.units,cO+1
end
if L>0 then fr(cr,L,-2-Z)end
R=bt
end
end
v[r]=Z
end
local function an(d)
local P={}
for V,n in ipairs(d.kept)do
if n.instant>d.floor and not d.removed[n.id]then P[#P+1]=n end
end
for V,n in pairs(d.added)do P[#P+1]=n end
return P
end
function W.divide(a)
local d,D=x[a],{}
if not d.kept and c[a]==dN(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local P=an(d)
if#P<=cY or not(d.is_apart or cM(d.key,"ZRANGE",dE))then
for l,n in ipairs(P)do D[l]=K(eC,n.instant,n.units,n.id)end
return"",table.concat(D)
end
d.moved=P
end
for V,n in pairs(d.moved or d.added)do
dP(n.units,function(G)d.sizes=H(d.sizes,G)end)
end
return K(cU,d.sizes,d.floor,d.shift),""
end
function W.write(a,ac)
local d=x[a]
if d.kept and d.is_apart then aa("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cD=gV(d,d.removed,d.moved or d.added)
if not d.kept then ga(d,cD)end
aa("PEXPIRE",d.key,ac)
end
aN[cW]=W
end
if aD or ec then
local cQ,bu=string.rep,table.remove
local gT,gN=c,e
local function dr(a)
return H(e[a],h)
end
local function dq(a,ay)
local k={unpack(x[a].shares)}
for l=1,#k,af do k[l]=k[l]-ay end
x[a]={shares=k}
return k
end
local function eT(a)
local k,q=x[a].shares,dr(a)
if not k[1]or k[1]>q then return end
k=dq(a,0)
while k[1]and k[1]<=q do
for V=1,af do bu(k,1)end
end
end
local function dy(a,q)
local k,m=x[a].shares,0
for l=1,#k,af do
if k[l]>q then m=m+k[l+1]end
end
return m
end
local function cP(a)
x[a]={shares={}}
end
local function gr(a)
local p=cH[a]or""
local r=#p/eG
if r%1~=0 or r>cZ then return bX(a)end
local k={Y(cQ(dd,r),p)}
k[#k]=nil
x[a]={shares=k}
end
local function fY(a)
local k=x[a].shares
return"",K(cQ(dd,#k/af),unpack(k))
end
local function gJ(a)
bM[a]=x[a].shares
end
local function er(a,v)
local k,f=bM[a],#v+1
v[f]=#k/af
for l=1,#k do v[f+l]=k[l]end
end
local function gf(a,b)
if dy(a,dr(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],al[a],g[a]=dy(a,0)*b.counts_per_unit,nil,0
return true
end
local function el(a,b,f,ai,bS)
b.algorithm.advance(a,b)
local k,ak=dq(a,0),0
local bL,bY=0,0
for cS=1,ai+bS do
local en,m,l=O[f],O[f+1],af
while k[l]and k[l]~=en do l=l+af end
if k[l]then
local s=k[l-1]
local ck=ab(s,m)
local aF=cS>ai and 0 or ck
k[l-1],ak,bY=aF,ak-s+aF,bY+s-ck
if cS>ai then bL=bL+ck end
for V=1,aF==0 and af or 0 do bu(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bL*b.counts_per_unit
g[a]=g[a]+bY*b.counts_per_unit
end
local function gq(a,b,t,bP)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ak,y=dq(a,0),dy(a,0),i.used(a,b)
local cf=i.lent_until(a,b)
local m=0
if bP>0 and#k<af*cZ then
local dV=ae(b.capacity_ticks/b.ticks_per_unit/2)
m=ab(bP,am(ae((b.capacity_ticks-y)/b.ticks_per_unit)/2),dV-ak)
end
if m>0 then
local P,q=m,H(cf,k[#k-2]or cf)
for l=#k,af,-af do
if k[l]==t then
P=P+k[l-1]
for V=1,af do bu(k,l-2)end
end
end
local B=#k
k[B+1],k[B+2],k[B+3]=q,P,t
ak=ak+m
else
m=0
end
c[a]=c[a]+m*b.counts_per_unit
return m
end
local function ed(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cP,gr,fY,gJ,er,dq
i.forget,i.report,i.lend=gf,el,gq
return aZ(i)
end
local aB={base=aN[bA],is_reservable=true,define=aN[bA].define}
local function dJ(a,b)
local c,e,k=gT[a],gN[a],x[a].shares
local an=dy(a,0)*b.ticks_per_unit
local l,aU=1,H(h,e)
while l<#k and k[l]<=aU do
local q=k[l]
if q>e then
c,e=H(an,c-(q-e)*b.refill_per_ms),q
end
an,l=an-k[l+1]*b.ticks_per_unit,l+af
end
if h>e then c,e=H(an,c-(h-e)*b.refill_per_ms),h end
return c,e,an
end
function aB.used(a,b)
return(dJ(a,b))
end
function aB.advance(a,b)
local an
c[a],e[a],an=dJ(a,b)
g[a]=ab(g[a],c[a]-an)
eT(a)
end
function aB.reset_after(a,b)
local k,w=x[a].shares,nil
local c,e,an=dJ(a,b)
local bK,q=c,e
for l=1,#k,af do
if k[l]>e then
bK=H(an,bK-(k[l]-q)*b.refill_per_ms)
q,an=k[l],an-k[l+1]*b.ticks_per_unit
end
end
w=bK<=0 and 0 or q+am(bK/b.refill_per_ms)-h
return w
end
function aB.lent_until(a,b)
return dr(a)+b.share
end
local function fi(aJ)
local i=setmetatable({base=aJ},{__index=aJ})
function i.advance(a,b)
aJ.advance(a,b)
eT(a)
end
function i.lent_until(a,b)
return ab(dr(a)+b.share,e[a]+b.period)
end
return i
end
aN[dC]=ed(aB)
aN[dA]=ed(fi(aN[ag]))
aN[dB]=ed(fi(aN[ca]))
end
for V,b in ipairs(aT)do eK(b)end
local ff=aD or aO[cB]or aO[cW]or ec
for F=1,#N,aP do
local B,aW=ab(F+aP-1,#N),{}
for l=F,B do aW[#aW+1]=KEYS[N[l]]end
if aa("EXISTS",unpack(aW))>0 then
for l=F,B do
if aa("EXISTS",KEYS[N[l]])==1 then bX(N[l])end
end
end
end
for V,a in ipairs(N)do
if not aG[a]then M[a].algorithm.begin(a,M[a],0,0,h)end
end
if aD then
local fG=7
local function ej(E)
local ex={}
for gU in string.gmatch(E or"","[^,\\n]+")do ex[#ex+1]=tonumber(gU,36)or false end
local i,aZ,aS,bk,dg=unpack(ex)
local cn=aN[i]
if not(cn and aZ and aS)then return nil end
bk=bk or aZ
local b=ei(E,i,aZ,aS,1,0,0,0)
if cn.define then cn.define(b)end
b.capacity_ticks=bk*b.ticks_per_unit
if cn.is_reservable and aZ>0 then
local ad=(cn.most_counts and cn.most_counts(b)or av)-b.capacity_ticks
b.debt_ticks=dg and ab(dg*b.ticks_per_unit,ad)or ad
end
eK(b)
return b
end
local dm=at
local function ee(a)
dm=dm+1
dW[dm]=a
return dm
end
local function fX(a,p)
aE[a]={}
for l,gO in ipairs(cmsgpack.unpack(p))do
local o,E,aw=ee(a),nil,nil
E,c[o],e[o],g[o],al[o],bq[o],aw,cH[o]=
unpack(gO)
if al[o]==0 then al[o]=nil end
local b=assert(ej(E))
M[o],aE[a][l]=b,o
if aw~=""then cE[o]={Y(cU,aw)}end
if b.algorithm.load then b.algorithm.load(o,b)end
assert(not aG[o])
end
end
function eV(a)
local P,bc={},h
for l,o in ipairs(aE[a])do
local b,aw,cG=M[o],"",""
bc=H(bc,bq[o])
if b.algorithm.divide then aw,cG=b.algorithm.divide(o)end
P[l]={
b.definition,c[o],e[o],g[o],al[o]or 0,bq[o],aw,cG,
}
end
return cmsgpack.pack(P),bc-h
end
function fB(a,ac)
for V,o in ipairs(aE[a])do
local i=M[o].algorithm
if i.write then i.write(o,ac)end
end
end
local function fW(a)
local C=ej(string.match(ba[a],"^[^\\n]*\\n"))
if not C or not eS(a,#C.definition)then return nil end
if dw[a]and not pcall(fX,a,dw[a])then return nil end
return C
end
local function dL(y,C,b)
if C.ticks_per_unit==b.ticks_per_unit then return y end
local m=ae(y/C.ticks_per_unit)
local cR=(y-m*C.ticks_per_unit)/C.ticks_per_unit
return m*b.ticks_per_unit+ab(b.ticks_per_unit,am(cR*b.ticks_per_unit))
end
local function fk(y,C,b)
return b.capacity_ticks+ab(dL(H(0,y-C.capacity_ticks),C,b),b.debt_ticks)
end
local function gG(az,o)
return(az.base or az)==(o.base or o)
end
local function gt(a,b,C)
local dp,cN=C.algorithm,b.algorithm
if gG(dp,cN)and cN.keep(a,b,C)then
if dp.base or cN.base then x[a]=cN.base and{shares={}}or nil end
return
end
dp.advance(a,C)
local y=dp.used(a,C)
local ar=ab(dL(y,C,b),fk(y,C,b))
local cP=ab(ar,dL(g[a]*C.ticks_per_unit/C.counts_per_unit,C,b))
x[a]=nil
cN.begin(a,b,ar,cP,H(h,e[a]))
end
local function fj(b)
if b.rate==0 then return 2*b.period end
return b.period*H(2,am(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function eO(az,o)
c[o],e[o],g[o],al[o]=c[az],e[az],g[az],al[az]
end
local function eP(az,bG)
for eX,z in pairs(az)do
if bG[eX]==nil then bG[eX]=z end
end
return bG
end
function dM(a,b,gy,aj)
local d=x[a]
local bG=eP(d,{key=cL(a,b),is_beside=false,cuts={},found={},removed={},added={}})
x[a]=bG
if not bG.is_apart or bG.key==d.key then return end
if not cM(bG.key,gy,aj)then return bX(a)end
aa(d.is_beside and"COPY"or"RENAME",d.key,bG.key)
end
local function eN(a,C,b)
local o=ee(a)
M[o],x[o]=C,x[a]
if x[a]then
x[a].is_beside=true
x[a]=eP(x[a],{})
end
eO(a,o)
bq[o]=ab(h+H(C.algorithm.reset_after(o,C),fj(C),fj(b)),av)
return o
end
local function em(a,b)
if e[a]-h<b.period then return 0 end
local U=b.algorithm.is_aligned and b.period or 1
local ay=ae((e[a]-h)/U)*U
e[a],ap[a]=e[a]-ay,ap[a]and H(0,ap[a]-ay)
if x[a]then b.algorithm.rewind(a,ay)end
return ay
end
local function dO(L)
local ar={}
for V,o in ipairs(L or{})do
bq[o]=bq[o]-em(o,M[o])
if bq[o]>h then ar[#ar+1]=o end
end
return ar
end
local eE="1,0,eiz5s00,gjdgxs\\n"
local function eg(L)
for l,o in ipairs(L or{})do
if M[o].definition==eE then return o,l end
end
end
local function gv(a)
local aq=ee(a)
M[aq]=ej(eE)
c[aq],e[aq],al[aq],g[aq],bq[aq]=0,h,0,0,0
return aq
end
local function fN(a,C,L)
local aq,l=eg(L)
if aq then table.remove(L,l)else aq=gv(a)end
local y,ct=C.algorithm.used(a,C),C.ticks_per_unit
c[aq]=H(c[aq],am(y/ct))
al[aq]=H(al[aq]or 0,am((y-C.capacity_ticks)/ct))
bq[aq]=H(bq[aq],ab(h+C.algorithm.reset_after(a,C),av))
L[#L+1]=aq
end
local function fU(a,b)
local aq=eg(aE[a])
if not aq then return end
local i,ct=b.algorithm,b.ticks_per_unit
local dg=ab((al[aq]or 0)*ct,b.debt_ticks)
local y=ab(c[aq]*ct,b.capacity_ticks+dg)
local cx=y-i.used(a,b)
if cx<=0 then return end
if i.holds_leases then return i.charge(a,b,cx,h)end
i.advance(a,b)
i.begin(a,b,y,g[a]*ct/b.counts_per_unit,H(h,e[a]))
end
local function gR(a,b,C,L)
local V,aq=eg(L)
if C.algorithm.reset_after(a,C)>0 then
local gi=#L-(aq and 1 or 0)>=fG
if gi then fN(a,C,L)
else L[#L+1]=dO({eN(a,C,b)})[1]end
end
aE[a]=#L>0 and L or nil
gt(a,b,C)
fU(a,b)
end
local function gP(a,b,C,L,go)
em(a,C)
local o=table.remove(L,go)
L[#L+1]=eN(a,C,b)
aE[a]=L
eO(o,a)
x[a]=x[o]
end
local function fQ(a,b,C)
local L=dO(aE[a])
for l,o in ipairs(L)do
if M[o].definition==b.definition then return gP(a,b,C,L,l)end
end
gR(a,b,C,L)
end
function cp(a,b)
local gh=e[a]>h and c[a]==0 and(al[a]or 0)==0 and(ap[a]or 0)<=h
if gh then b.algorithm.begin(a,b,0,0,h)end
end
local function gC(a,b)
local C=fW(a)
if not C then return bX(a)end
local fd=C.definition==b.definition
if fd and e[a]<=h then return end
if C.algorithm.load then C.algorithm.load(a,C)end
if aG[a]then return end
if not fd then fQ(a,b,C)end
em(a,b)
cp(a,b)
aQ[a]=true
end
function cw(a,b,r,n)
local L=dO(aE[a])
aE[a]=#L>0 and L or nil
local y=b.algorithm.used(a,b)
for V,o in ipairs(L)do
local cj,m=M[o],r
if n==bx or not cj.algorithm.holds_leases then
local gF=fk(y,b,cj)-cj.algorithm.used(o,cj)
m=ab(r,ae(gF/cj.ticks_per_unit))
end
if m>0 then cj.algorithm.charge(o,cj,m,n~=bx and n or h)end
end
end
for V,a in ipairs(aD)do gC(a,M[a])end
end
for a=1,ff and at or 0 do
local b=M[a]
if b.algorithm.load and not aG[a]then
if not x[a]then b.algorithm.load(a,b)end
if not aG[a]then b.algorithm.see(a,b)end
end
end
local v,du={h,0},{}
for a=1,at do
local f=da+dc*(a-1)
local cJ,dk=c[a],g[a]
if M[a].algorithm.note and not aG[a]then
cJ=M[a].algorithm.used(a,M[a])
dk=ab(dk,cJ)
end
v[f+1],v[f+2]=cJ,h-e[a]
if dk~=cJ and not aG[a]then du[a]=cJ-dk end
end
local dH=#v+1
v[dH]=0
if next(du)or next(al)or next(ap)then
for a=1,at do
if du[a]or al[a]or ap[a]then
local f=#v
v[dH]=v[dH]+1
v[f+1],v[f+2],v[f+3],v[f+4]=a,du[a]or 0,al[a]or 0,ap[a]or 0
end
end
end
local I=0
local function fa(a,b,y,ad)
local gg=ap[a]and ap[a]>h
return not gg and b.algorithm.used(a,b)+y<=ad
end
local function cs(a,b,y,ad)
if aD then cp(a,b)end
if aG[a]then return false end
if fa(a,b,y,ad)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ad-y)end
return false
end
local function et(a,b,r,n)
b.algorithm.charge(a,b,r,n)
if aE[a]then cw(a,b,r,n)end
aQ[a]=true
end
local function fv(a)
local b=M[a]
if not cs(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
et(a,b,1,bx)
I=I+1
end
if not O then
for a=1,at do fv(a)end
else
local function eI(f,bi)
if bi==1 then return O[f],1,0,0,bx end
return unpack(O,f,f+bi-1)
end
local function eu(F,B,bi,gj)
local dG=not gj
for f=F,B,bi do
local a,r,cv,bW=eI(f,bi)
local b=M[a]
local ad=cv==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dG=cs(a,b,H(1,r)*b.ticks_per_unit+bW,ad)and dG
end
for f=F,dG and B or 0,bi do
local a,r,V,V,n=eI(f,bi)
if r>0 then et(a,M[a],r,n)end
I=I+1
end
end
local function er(a,m)
local i=M[a].algorithm
if i.note_each and not aG[a]then i.note_each(a,M[a],m)end
end
local function ce(a,b,i,ay)
i.advance(a,b)
local aF=i.is_aligned or i.holds_leases and c[a]>0
if not aF then e[a]=H(e[a],h)end
ap[a]=H(e[a],h)+ay
end
local function fu(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gE(a,b,i)
if ap[a]and ap[a]<=h then ap[a]=nil end
local ak={}
for V,o in ipairs(aE[a]or{})do
if bq[o]>h and fu(o,M[o])then ak[#ak+1]=o
else dT[#dT+1]=x[o]
end
end
aE[a]=#ak>0 and ak or nil
if not fu(a,b)then i.begin(a,b,0,0,h)end
end
local function bE(U,a,F,eo)
local b=M[a]
local i=b.algorithm
if aG[a]then return end
if aD then cp(a,b)end
if U==fK then i.settle(a,b,F,eo)
elseif U==fJ then gE(a,b,i)
elseif U==fD then ce(a,b,i,F)
elseif U==fM then ap[a]=nil
elseif U==fI and i.holds_leases then i.release(a,b,F,eo)
elseif U==eF and i.holds_leases then i.renew(a,b,F,eo)
end
if aD then cp(a,b)end
aQ[a]=true
end
local function fZ(f)
local a,r,cv,t,bP,ai,bS=unpack(O,f+1,f+bR[cl])
local b=M[a]
local i=b.algorithm
if aG[a]then return end
if aD then cp(a,b)end
if ai+bS>0 then
local el=i.report or i.advance
el(a,b,f+1+bR[cl],ai,bS)
aQ[a]=true
end
local ad=cv==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not fa(a,b,H(1,r)*b.ticks_per_unit,ad)then return end
if r>0 then et(a,b,r,bx)end
local m=i.lend and i.lend(a,b,t,bP)or 0
if m>0 and aE[a]then cw(a,b,m,bx)end
aQ[a],I=true,I+1+m
end
local f,B=1,#O
while f<=B do
local U,bi=O[f],fA(f)
if U>0 then fv(U)
elseif U==cb then eu(f+1+bR[cb],f+bi-1,cV)
elseif U==df then eu(f+1+bR[df],f+bi-1,1)
elseif U==dD then eu(f+1+bR[dD],f+bi-1,cV,true)
elseif U==cl then fZ(f)
elseif U==fL then er(O[f+1],O[f+2])
else bE(U,O[f+1],O[f+2],O[f+3])
end
f=f+bi
end
end
for a=1,ff and at or 0 do
local i=M[a].algorithm
if i.show and not aG[a]then i.show(a,v)end
end
local function gb(a,L)
local E,c,e,g=M[a].definition,c[a],e[a],g[a]
local s,ce,j,cu,p,aw,cG=al[a],ap[a]or 0,0,"",nil,"",""
local i,aI=M[a].algorithm,nil
if i.divide then aw,cG=i.divide(a)end
if ce~=0 then j,cu=dz,K(ey,ce)end
if L~=""then j,cu=j+eA,cu..K(eD,#L,L)end
if aw~=""then j,cu=j+ez,cu..aw end
if c<16777216 and g==c and not s then
if aI then p=K("<c0Bi6I3i6",E,j,e,c,aI)
else p=K("<c0Bi6I3",E,j,e,c)
end
else
local au,u="<c0Bi6I3",""
if c>=1099511627776 then au,j="<c0Bi6I7",j+2
elseif c>=16777216 then au,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+bb
elseif g~=c then j,u=j+by,K("<I7",g)
end
if s then j,u=j+br,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
return p..cu..cG
end
local function gH(a)
local b,ah,L,fz=M[a],KEYS[a],"",0
local s,ce=al[a]or 0,ap[a]or 0
local w=b.algorithm.reset_after(a,b)
if aE[a]then L,fz=eV(a)end
w=H(w,ce-h,fz)
if not(w>0 or aX>0 and(c[a]>0 or s>0 or ce>0))then
if x[a]and x[a].is_apart then aa("UNLINK",x[a].key)end
return aa("DEL",ah)
end
local ac
ac=bH("%d",(w<av and w or av)+aX)
aa("PSETEX",ah,ac,gb(a,L))
if b.algorithm.write then b.algorithm.write(a,ac)end
if aE[a]then fB(a,ac)end
end
local function gI()
for a=1,at do
if aQ[a]and not aG[a]then gH(a)end
end
for V,d in ipairs(dT)do
if d.is_apart then aa("UNLINK",d.key)end
end
end
local gm,Q=pcall(gI)
if not gm then
local p=type(Q)=="table"and Q.err or Q
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(Q,0)end
end
v[cA]=I
return v
`,
} as const;
