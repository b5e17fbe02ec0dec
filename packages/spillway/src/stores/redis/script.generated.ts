/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "ac1cab56617c6677d2db0ded98d2f4e5c9914e16",
  source: `local K,Y,cg,aC,ha=struct.pack,struct.unpack,string.format,string.find,string.byte
local aa,bZ,ab,H,ae,am=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local av=4503599627370496
local aP=4000
local bx=0
local bA,ag,ca,cC,eD,cW,dC,dA,dB,cb,fL,fK,fE,fN,fJ,eH,cm,df,dD,fM,cV,da,dc,db,gY,gZ,cB=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,2,4,2,3,2
local h,aX=tonumber(ARGV[3]),3600000
if not h then
local fz=aa("TIME")
h,aX=fz[1]*1000+ae(fz[2]/1000),0
end
local bb,by,bq,dz,eC,eB=4,8,16,32,64,128
local eA="<I7"
local eF="<I4c0"
local cU="<I4i7i6"
local dd,eI,af,cZ="<i6I4I7",17,3,256
local dI=bit.band
local function ej(
E,i,ba,aZ,cA,refill_per_ms,capacity_ticks,debt_ticks,au,cx
)
return{
numbers=au,bytes=#E+(i<ag and 16 or 10),
definition=E,kind=i,rate=ba,period=aZ,ticks_per_unit=cA,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cx,
}
end
local br,aT,bo,aY,cc,N=ARGV[4],nil,nil,nil,nil,nil
if not br then
aT=cjson.decode(ARGV[1])
for l=1,#aT do aT[l]=ej(unpack(aT[l]))end
if ARGV[2]and ARGV[2]~=""then bo=cjson.decode(ARGV[2])end
end
if bo then aY,cc,N=bo.owners,bo.anchors,bo.steps end
local at=#KEYS
local bv=aa("MGET",unpack(KEYS,1,ab(at,aP)))
for F=aP+1,at,aP do
local eO=aa("MGET",unpack(KEYS,F,ab(F+aP-1,at)))
for l=1,#eO do bv[F+l-1]=eO[l]end
end
if br or bo and bo.leases then
local bw,cY=17,16
local fF=10
local bY,J,I,R,f=string.sub,true,0,nil,1
local E,di,aj,aZ,bj,x,c,e,F,V,t,r,bU
local bV,bR,bu,dj,dR,ew,p,ac
local be,u,Z,D,bT,O
if br then
local P
E,di,P,aZ,bj,V,t,r,bU=unpack(ARGV)
aj,aZ,bj,V,t,r,bU=#E+10,aZ+0,bj+0,V+0,t+0,r+0,bU+0
else
be,u,Z,D,bT,O={h,0},{},{},{},{},{}
end
for a=1,at do
if not br then
local b=aT[aY and aY[a]or 1]
E,di,aj,aZ,bj=b.definition,b.numbers,b.bytes,b.period,b.capacity_ticks
V,r=N[f],N[f+3]
if V==cb then bU,t,f=N[f+5],N[f+6],f+2+cV
else t,f=N[f+2],f+4
end
end
x,c,e,F=bv[a]or"",0,h,1
if x~=""then
local cL,bH,j=#x-aj,nil,nil
J=cL>0 and cL<=cY*bw and cL%bw==0
if J then
bH,j,e,c,F=Y(di,x)
J=bH==E and j==bb and e<=h
local q,m=Y("<i6I4",x,F)
while q and q<=h do
c,F,q=c-m,F+bw,nil
if F<#x then q,m=Y("<i6I4",x,F)end
end
end
end
if J then
local T,aS,dt,ai=bY(x,F),e+aZ,0,nil
bV,bR,bu,dj=1,nil,0,-1
if V==cb then
local ad=bj-H(1,r)-bU
if c<=ad then
I=I+1
if r>0 then
dt,ai=r,c+r
J=#T<cY*bw and ai<16777216 and not aC(T,K("<I7",t),1,true)
end
elseif ad>=0 then
local aA,cy=1,c-ad
while aA<#T do
local q,m=Y("<i6I4",T,aA)
if cy<=0 and q>bR then break end
bR,bu,cy,aA=q,bu+m,cy-m,aA+bw
end
end
else
ai=c
local aA=aC(T,K("<I7",t),1,true)
if aA then
aA=aA-fF
J=aA%bw==1
if J then bR,bu,dj=Y("<i6I4I7",T,aA)end
if J and bu==r then
T=bY(T,1,aA-1)..bY(T,aA+bw)
if V==eH then dt=r else ai=c-r end
end
end
end
if not bR then bR,bu=aS,c end
if c==0 then bV=0
elseif c>bu then bV,dR,ew=2,aS,c-bu
end
p,ac=nil,nil
if ai then
local w=nil
if dt>0 then
w=aZ
p=K("<c0Bi6I3c0i6I4I7",E,bb,h,ai,T,h+aZ,dt,t)
elseif ai==0 then
p=""
else
p=K("<c0Bi6I3c0",E,bb,e,ai,T)
if aX>0 then w=aS-h end
end
if w then
ac=cg("%d",(w<av and w or av)+aX)
end
end
end
if not J then break end
if not br then
local A=#be
be[A+1],be[A+2],D[a],bT[a]=c,h-e,p,ac
if c>0 then
A=#u
u[A+1],u[A+2],u[A+3],u[A+4]=a,c,0,0
end
A=#Z
Z[A+1]=bV
if bV>0 then Z[A+2],Z[A+3],Z[A+4]=bR,bu,dj end
if bV>1 then Z[A+5],Z[A+6],Z[A+7]=dR,ew,-2 end
if not bv[a]then O[#O+1]=KEYS[a]end
end
end
if J and br then J=x~=""or aa("EXISTS",KEYS[1])==0
elseif J and#O>0 then J=#O<=aP and aa("EXISTS",unpack(O))==0
end
if J then
for a=1,at do
if not br then p,ac=D[a],bT[a]end
if p and not R then
local aK
if p==""then aK=bZ("DEL",KEYS[a])
elseif ac then aK=bZ("PSETEX",KEYS[a],ac,p)
else aK=bZ("SET",KEYS[a],p,"KEEPTTL")
end
R=type(aK)=="table"and aK.err
end
end
if R then
local p=type(R)=="table"and R.err or R
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(R,0)end
end
if br and c>0 then
return{h,I,c,h-e,1,1,c,0,0,bV,bR,bu,dj,bV>1 and dR or nil,ew,-2}
elseif br then return{h,I,0,h-e,0,0}
end
be[cB],be[#be+1]=I,#u/db
for f=1,#u do be[#be+1]=u[f]end
for f=1,#Z do be[#be+1]=Z[f]end
return be
elseif br then
aT={ej(E,cW,bj,aZ,1,0,bj,0,di)}
N=V==cb and{cb,1,1,r,0,bU,t}or{V,1,t,r}
end
elseif not bo or bo.takes_units then
local J,O,v,I,u,R=true,nil,{h,0},0,nil,nil
local D,bT={},{}
local M,bg,bL,bf,bQ,eb,aQ
if N then
M,bg,bL,bf,bQ,eb,aQ={},{},{},{},{},{},{}
end
for a=1,at do
local b,x=aT[aY and aY[a]or 1],bv[a]
local E,i,c,e,g,s,ar=b.definition,b.kind,0,h,0,nil,nil
if x then
local w,bH,j=nil,nil,nil
if#x==b.bytes then bH,j,e,c,ar=Y(b.numbers,x)end
if bH==E and j==0 then
g=c
elseif aC(x,E,1,true)==1 then
local f=#E+1
ar=nil
local aj,j=#x-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",x,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bl,bk=j%16>=by,j%32>=bq
if aj<9+2*G+(bl and 7 or 0)+(bk and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",x,f-3)end
g=j%16>=bb and 0 or c
if bl then g,f=Y("<I7",x,f)end
if bk then s,f=Y("<I7",x,f)end
end
end
else
f=nil
end
J=f==#x+1
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
O=O or{}
O[#O+1]=KEYS[a]
if i>=ag then e=h-(h-(cc and cc[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cC then J=false end
if not J then break end
local f=da+dc*(a-1)
v[f+1],v[f+2]=c,h-e
if s or g~=c then
u=u or{}
local A=#u
u[A+1],u[A+2],u[A+3],u[A+4]=a,c-g,s or 0,0
end
if N then
M[a],bg[a],bL[a],bf[a],bQ[a],eb[a]=b,c,e,g,s,ar
else
local z,as
if i<ag then
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
z,as=c,b.ticks_per_unit
elseif i==ag then
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
c,e=c-U*b.rate,e+U*b.period
if c<0 then c=0 end
if g>c then g=c end
end
z,as=c,1
else
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
s=U==1 and c>0 and c or nil
c,e,g=0,e+U*b.period,0
end
z=c*b.period
if s then z=z+s*(b.period-H(0,h-e))end
as=1
end
if z+b.ticks_per_unit<=b.capacity_ticks then
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
if s then j,u=j+bq,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
if not aF then
ac=cg("%d",(w<av and w or av)+aX)
end
D[a],bT[a]=p,ac
end
end
end
if O and J and(#O>aP or aa("EXISTS",unpack(O))>0)then J=false end
if J and N then
local f,A=1,#N
while f<=A do
local F,dh,ct=f,f,true
if N[f]==df then F,dh=f+2,f+1+N[f+1]end
for aA=F,dh do
local a=N[aA]
local b,c,e,g,s=M[a],bg[a],bL[a],bf[a],bQ[a]
local i=b.kind
local z,as
if i<ag then
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
z,as=c,b.ticks_per_unit
elseif i==ag then
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
c,e=c-U*b.rate,e+U*b.period
if c<0 then c=0 end
if g>c then g=c end
end
z,as=c,1
else
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
s=U==1 and c>0 and c or nil
c,e,g=0,e+U*b.period,0
end
z=c*b.period
if s then z=z+s*(b.period-H(0,h-e))end
as=1
end
bg[a],bL[a],bf[a],bQ[a]=c,e,g,s
ct=ct and z+b.ticks_per_unit<=b.capacity_ticks
end
for aA=F,ct and dh or 0 do
local a=N[aA]
local b=M[a]
local as=b.kind==ca and 1 or b.ticks_per_unit
bg[a],bf[a],aQ[a]=bg[a]+as,bf[a]+as,true
I=I+1
end
f=dh+1
end
for a=1,at do
if aQ[a]then
local b,c,e,g,s,ar=M[a],bg[a],bL[a],bf[a],bQ[a],eb[a]
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
if s then j,u=j+bq,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
if not aF then
ac=cg("%d",(w<av and w or av)+aX)
end
D[a],bT[a]=p,ac
end
end
end
if J then
for a=1,at do
if D[a]then
local aK
if bT[a]then aK=bZ("PSETEX",KEYS[a],bT[a],D[a])
else aK=bZ("SET",KEYS[a],D[a],"KEEPTTL")
end
R=R or aK.err
end
end
if R then
local p=type(R)=="table"and R.err or R
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(R,0)end
end
v[cB],v[#v+1]=I,u and#u/db or 0
for f=1,u and#u or 0 do v[#v+1]=u[f]end
return v
end
elseif bo.lends then
local cR,bY,bt=string.rep,string.sub,table.remove
local fD={[dC]=bA,[dA]=ag,[dB]=ca}
local J,O,v,I,u,R=true,nil,{h,0},0,nil,nil
for P,b in ipairs(aT)do
b.base=fD[b.kind]or b.kind
b.unit=b.base==ca and 1 or b.ticks_per_unit
end
local M,bg,bL,bf,bQ,dx,aQ={},{},{},{},{},{},{}
local dv,dn,cz={},{},{}
local X={}
for a=1,at do
local b,x=aT[aY and aY[a]or 1],bv[a]
local E,i,c,e,g,s=b.definition,b.base,0,h,0,nil
local k,ak,r=nil,0,0
if not x then
O=O or{}
O[#O+1]=KEYS[a]
if i>=ag then e=h-(h-(cc and cc[a]or 0))%b.period end
elseif aC(x,E,1,true)==1 then
local f=#E+1
local aj,j=#x-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",x,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bl,bk=j%16>=by,j%32>=bq
if aj<9+2*G+(bl and 7 or 0)+(bk and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",x,f-3)end
g=j%16>=bb and 0 or c
if bl then g,f=Y("<I7",x,f)end
if bk then s,f=Y("<I7",x,f)end
end
end
else
f=nil
end
if i==b.kind and i<ag and f==#x-5 then f=#x+1 end
if f then r=(#x+1-f)/eI end
J=f and(r==0 or j<dz and i~=b.kind and r%1==0 and r<=cZ)
if J and r>0 then
cz[a]=bY(x,f)
k={Y(cR(dd,r),cz[a])}
k[#k]=nil
for l=2,#k,af do ak=ak+k[l]end
end
else
J=false
end
if e>h or b.rate==0 or i>=cC then J=false end
if not J then break end
local aA=da+dc*(a-1)
v[aA+1],v[aA+2]=c,h-e
if s or g~=c then
u=u or{}
local A=#u
u[A+1],u[A+2],u[A+3],u[A+4]=a,c-g,s or 0,0
end
if i~=b.kind then
local A=#X+1
X[A]=k and#k/af or 0
for l=1,k and#k or 0 do X[A+l]=k[l]end
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
local z,as
if i<ag then
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
z,as=c,b.ticks_per_unit
elseif i==ag then
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
c,e=c-U*b.rate,e+U*b.period
if c<0 then c=0 end
if g>c then g=c end
end
z,as=c,1
else
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
s=U==1 and c>0 and c or nil
c,e,g=0,e+U*b.period,0
end
z=c*b.period
if s then z=z+s*(b.period-H(0,h-e))end
as=1
end
dx[a]=z
end
while k and k[1]and k[1]<=h do
ak,cz[a]=ak-k[2],nil
for P=1,af do bt(k,1)end
end
M[a],bg[a],bL[a],bf[a],bQ[a]=b,c,e,g,s
dv[a],dn[a]=k,ak
end
if O and J and(#O>aP or aa("EXISTS",unpack(O))>0)then J=false end
if J then
local f,A=1,N and#N or at
while f<=A do
local a,r,cw,t,bM,ai,bP=N and N[f]or f,1,0,0,0,0,0
f=f+1
if a==cm then
a,r,cw,t,bM,ai,bP=unpack(N,f,f+6)
f=f+7
end
local b,k,ak=M[a],dv[a],dn[a]
local c,z,g=bg[a],dx[a],bf[a]
local as,cA=b.unit,b.ticks_per_unit
if ai+bP>0 then
k,aQ[a]=k or{},true
local bJ,bX=0,0
for cS=1,ai+bP do
local eo,m,l=N[f],N[f+1],af
while k[l]and k[l]~=eo do l=l+af end
if k[l]then
local s=k[l-1]
local cl=ab(s,m)
local aF=cS>ai and 0 or cl
k[l-1],ak,bX=aF,ak-s+aF,bX+s-cl
if cS>ai then bJ=bJ+cl end
for P=1,aF==0 and af or 0 do bt(k,l-2)end
end
f=f+2
end
c,z,g=c-bJ*as,z-bJ*cA,g+bX*as
if bJ+bX>0 then cz[a]=nil end
end
local ad=cw==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if z+H(1,r)*cA<=ad then
c,z,g=c+r*as,z+r*cA,g+r*as
aQ[a],I=true,I+1
if bM>0 and b.share then
local cf=h+b.share
if b.base~=bA then cf=ab(cf,bL[a]+b.period)end
k=k or{}
local m=0
if bM>0 and#k<af*cZ then
local dW=ae(b.capacity_ticks/b.ticks_per_unit/2)
m=ab(bM,am(ae((b.capacity_ticks-z)/b.ticks_per_unit)/2),dW-ak)
end
if m>0 then
local Q,q=m,H(cf,k[#k-2]or cf)
for l=#k,af,-af do
if k[l]==t then
Q=Q+k[l-1]
for P=1,af do bt(k,l-2)end
end
end
local A=#k
k[A+1],k[A+2],k[A+3]=q,Q,t
ak=ak+m
else
m=0
end
if m>0 then cz[a]=nil end
c,z,I=c+m*as,z+m*cA,I+m
end
end
bg[a],dx[a],bf[a],dv[a],dn[a]=c,z,g,k,ak
end
for a=1,at do
if aQ[a]and not R then
local b,c,e,g,s=M[a],bg[a],bL[a],bf[a],bQ[a]
local E,i,j,w,p=b.definition,b.base,0,nil,nil
local k,aI=dv[a],nil
local fd=k and k[1]
if fd and i==bA then
local an=dn[a]*b.ticks_per_unit
local bI,q=c,e
for l=1,#k,af do
if k[l]>e then
bI=H(an,bI-(k[l]-q)*b.refill_per_ms)
q,an=k[l],an-k[l+1]*b.ticks_per_unit
end
end
w=bI<=0 and 0 or q+am(bI/b.refill_per_ms)-h
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
aK=bZ("DEL",KEYS[a])
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
if s then j,u=j+bq,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
ac=cg("%d",(w<av and w or av)+aX)
if fd then
p=p..(cz[a]or K(cR(dd,#k/af),unpack(k)))
end
aK=bZ("PSETEX",KEYS[a],ac,p)
end
if type(aK)=="table"then R=aK.err end
end
end
if R then
local p=type(R)=="table"and R.err or R
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(R,0)end
end
v[cB],v[#v+1]=I,u and#u/db or 0
for f=1,u and#u or 0 do v[#v+1]=u[f]end
for f=1,#X do v[#v+1]=X[f]end
return v
end
elseif bo.logs then
local bN,aL,fG,bz="<i6I7",13,416,9007199254740992
local bY=string.sub
local J,O,v,I,u,Z,R=true,nil,{h,0},0,{},{},nil
local D,dT={},{}
for a=1,at do
local b,x=aT[aY and aY[a]or 1],bv[a]
local E,c,e,g,s,T,A,S=b.definition,0,h,0,nil,"",h,0
local r=#Z+1
Z[r]=0
if x then
if aC(x,E,1,true)==1 then
local f=#E+1
local aj,j=#x-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",x,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bl,bk=j%16>=by,j%32>=bq
if aj<9+2*G+(bl and 7 or 0)+(bk and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",x,f-3)end
g=j%16>=bb and 0 or c
if bl then g,f=Y("<I7",x,f)end
if bk then s,f=Y("<I7",x,f)end
end
end
else
f=nil
end
local eY=f and#x+1-f or 0
J=f and j<bq and eY>0 and eY%aL==0
if J then
local F,bn,q,bs=f,h-b.period,nil,nil
A,S=Y(bN,x,#x-aL+1)
local cp=S-c
if cp<0 then cp=cp+bz end
q,bs=Y(bN,x,F)
while q<=bn and F<#x do
cp,F=bs,F+aL
if F<#x then q,bs=Y(bN,x,F)end
end
c=S-cp
if c<0 then c=c+bz end
if g>c then g=c end
T=bY(x,F)
if c>0 then
local m=bs-cp
if m<0 then m=m+bz end
Z[r+1],Z[r+2]=q,m
if m<c then Z[r+3],Z[r+4]=A,c-m end
Z[r]=(r-#Z)/2
elseif T~=""then
J=false
end
end
else
J=false
end
else
O=O or{}
O[#O+1]=KEYS[a]
end
local fc=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or fc and#T>fG-aL then J=false end
if not J then break end
local f=da+dc*(a-1)
v[f+1],v[f+2]=c,h-e
if g~=c then
local f=#u
u[f+1],u[f+2],u[f+3],u[f+4]=a,c-g,0,0
end
if fc then
local j,aI,w,ac,p=0,nil,b.period,nil,nil
if T==""then S=1
else
S=S>=bz-1 and S-(bz-1)or S+1
if A==h then T=bY(T,1,-aL-1)end
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
if s then j,u=j+bq,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
D[a]=p..T..K(bN,h,S)
if not dT[b]then
ac=cg("%d",(w<av and w or av)+aX)
dT[b]=ac
end
end
end
if O and J and(#O>aP or aa("EXISTS",unpack(O))>0)then J=false end
if J then
for a=1,at do
if D[a]then
local aK=bZ("PSETEX",KEYS[a],dT[aT[aY and aY[a]or 1]],D[a])
R=R or aK.err
end
end
if R then
local p=type(R)=="table"and R.err or R
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(R,0)end
end
v[cB],v[#v+1]=I,#u/db
for f=1,#u do v[#v+1]=u[f]end
for f=1,#Z do v[#v+1]=Z[f]end
return v
end
end
local M,c,e,g={},{},{},{}
local al,ap,y,aE,bp={},{},{},{},{}
local dw,cF,cI,dX={},{},{},{}
local aG,aQ={},{}
local bK,dU={},{}
local cx,cq,eX,fC,dM
local cM,cN
local function bW(a)
aG[a],c[a],e[a],g[a]=true,-1,h,0
end
local function fW(a,j,f)
local x=bv[a]
if dI(j,dz)~=0 then ap[a],f=Y(eA,x,f)end
if dI(j,eC)~=0 then dw[a],f=Y(eF,x,f)end
if dI(j,eB)~=0 then
cF[a]={Y(cU,x,f)}
f=cF[a][4]
end
cI[a]=string.sub(x,f)
end
local bD,bB,bC=c,e,g
local function eU(a,cL)
local x,f,c,e,g,s=bv[a],cL+1,nil,nil,nil,nil
local aj,j=#x-f,nil
if aj>=9 then
j,e,c=Y("<Bi6I3",x,f)
g,f=c,f+10
if j>0 then
local G=j%4
local bl,bk=j%16>=by,j%32>=bq
if aj<9+2*G+(bl and 7 or 0)+(bk and 7 or 0)then
f=nil
else
if G>0 then c,f=Y(G==1 and"<I5"or"<I7",x,f-3)end
g=j%16>=bb and 0 or c
if bl then g,f=Y("<I7",x,f)end
if bk then s,f=Y("<I7",x,f)end
end
end
else
f=nil
end
if not f then return false end
bD[a],bB[a],bC[a],al[a]=c,e,g,s
return f>#x or pcall(fW,a,j,f)
end
local O,aD,aO={},nil,{}
for P,b in ipairs(aT)do aO[b.kind]=true end
for a=1,at do
local b,x=aT[aY and aY[a]or 1],bv[a]
M[a]=b
if not x then
O[#O+1]=a
else
local gm=aC(x,b.definition,1,true)==1 and eU(a,#b.definition)
if not gm or dw[a]or e[a]>h then
aD=aD or{}
aD[#aD+1]=a
end
end
end
local bO,fB
if N then
bO={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fB(f)
local V,eL=N[f],N[f+1]
if V>0 then return 1 end
if V==cm then return 1+bO[cm]+2*(N[f+6]+N[f+7])end
local gl=V==cb or V==dD
return 1+bO[V]+(gl and cV*eL or V==df and eL or 0)
end
end
local aN={}
local function cD(a,i,bE)
c[a]=c[a]+bE
if i.record and bE~=0 then i.record(a,bE)end
end
local function fS(a,b,r)
local i,fx=b.algorithm,r*b.counts_per_unit
i.advance(a,b)
cD(a,i,fx)
g[a]=g[a]+fx
end
local function gN(a,b,fr,gC)
local i,dS=b.algorithm,gC-fr
i.advance(a,b)
local ad=(i.most_counts and i.most_counts(b)or av)-c[a]-(al[a]or 0)
local gq=i.queues and 0 or-g[a]
cD(a,i,H(gq,ab(dS*b.counts_per_unit,H(0,ad))))
g[a]=ab(H(0,g[a]-fr*b.counts_per_unit),c[a])
if dS>0 and aE[a]then cx(a,b,dS,bx)end
end
local function fQ(a,b,z,cQ,f)
local i,fy=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],al[a]=0,i.is_aligned and f-(f-(cc and cc[a]or 0))%b.period or f,nil
cD(a,i,am(z/fy))
g[a]=ae(cQ/fy)
end
local function go(a,b,C)
local i=b.algorithm
if not i.has_history or b.period~=C.period then return false end
local function fu(E)return string.match(E,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return fu(b.definition)==fu(C.definition)and i.used(a,b)<=b.capacity_ticks
end
local function ba(i)
i.charge,i.settle,i.begin,i.keep=fS,gN,fQ,go
return i
end
local function eM(b)
b.algorithm=aN[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local ed=aO[dC]or aO[dA]or aO[dB]
if ed then aO[bA],aO[ag],aO[ca]=true,true,true end
if aD or aO[bA]then
local aB={is_reservable=true}
local function dV(az,o)
while o~=0 do az,o=o,az%o end
return az
end
function aB.define(b)
local cT=dV(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cT,b.rate/cT
end
function aB.used(a,b)
local c,e,g=c[a],e[a],0
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bD,bB,bC=c,e,g
function aB.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bD[a],bB[a],bC[a]=c,e,g
end
function aB.reset_after(a,b)
local c,e,g,w=c[a],e[a],0,nil
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
return w
end
aN[bA]=ba(aB)
end
if aD or aO[ag]then
local aJ={is_aligned=true,is_reservable=true}
function aJ.used(a,b)
local c,e,g=c[a],e[a],0
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
c,e=c-U*b.rate,e+U*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bD,bB,bC=c,e,g
function aJ.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
c,e=c-U*b.rate,e+U*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bD[a],bB[a],bC[a]=c,e,g
end
function aJ.reset_after(a,b)
local c,e,g,w=c[a],e[a],0,nil
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
c,e=c-U*b.rate,e+U*b.period
if c<0 then c=0 end
if g>c then g=c end
end
w=c==0 and 0 or e+am(c/b.rate)*b.period-h
return w
end
function aJ.most_counts(b)
return b.rate==0 and av or ab(av,ae(av/b.period)*b.rate)
end
aN[ag]=ba(aJ)
end
if aD or aO[ca]then
local aJ={is_aligned=true,has_history=true,counts_units=true}
function aJ.define(b)
b.ticks_per_unit=b.period
end
function aJ.used(a,b)
local c,e,g,s,z=c[a],e[a],0,al[a],nil
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
s=U==1 and c>0 and c or nil
c,e,g=0,e+U*b.period,0
end
z=c*b.period
if s then z=z+s*(b.period-H(0,h-e))end
return z
end
local bD,bB,bC=c,e,g
function aJ.advance(a,b)
local c,e,g,s=c[a],e[a],g[a],al[a]
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
s=U==1 and c>0 and c or nil
c,e,g=0,e+U*b.period,0
end
bD[a],bB[a],bC[a],al[a]=c,e,g,s
end
function aJ.reset_after(a,b)
local c,e,g,s,w=c[a],e[a],0,al[a],nil
local B=h-e
if B>=b.period then
local U=ae(B/b.period)
s=U==1 and c>0 and c or nil
c,e,g=0,e+U*b.period,0
end
w=c>0 and e+2*b.period-h or s and e+b.period-h or 0
return w
end
function aJ.most_counts(b)
return ae(av/b.period)
end
aN[ca]=ba(aJ)
end
if aD or aO[cC]then
function cM(a,b)
return(string.gsub(KEYS[dX[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cG(aM,ah)
local D=redis.pcall(aM,ah,0,0)
if not D.err then return D end
if not aC(D.err,"WRONGTYPE",1,true)then error(D.err)end
end
function cN(ah,aM,aj)
local D=cG(aM,ah)
if not D then return false end
if D[1]and#D[1]~=aj then return false end
if D[1]then aa("UNLINK",ah)end
return true
end
local function ea(a,d,aM,aj)
local D=cG(aM,d.key)
if not D or D[1]and#D[1]~=aj then return bW(a)end
return D[1]~=nil
end
local function cr(aM,ah,cd)
for F=1,#cd,aP do
aa(aM,ah,unpack(cd,F,ab(F+aP-1,#cd)))
end
end
local function aU(a)
return H(e[a],h)
end
local function et(eq)
local aW={}
for ah in pairs(eq)do aW[#aW+1]=ah end
table.sort(aW)
return aW
end
local bN,aL,bz="<i6I7",13,9007199254740992
local bi=32
local cn=bi*aL
local dF=1024
local ax={has_history=true,keeps_list=true}
local function gx(S,m)
return S>=bz-m and S-(bz-m)or S+m
end
local function ch(S,dQ)
return S<dQ and S-dQ+bz or S-dQ
end
local function fo(d,ei)
local p=d.read[ei]
if not p then
p=aa("LINDEX",d.key,ei-1)
d.read[ei]=p
end
return p
end
local function bS(d,ao)
local p,eg=d.tail,(ao-d.pages*bi-1)*aL
if eg<0 then p,eg=fo(d,am(ao/bi)),(ao-1)%bi*aL end
local q,S=Y(bN,p,eg+1)
return q-d.shift,S
end
local function cj(d,ao)
if ao==d.head then return d.base end
local P,S=bS(d,ao)
return S
end
local function fi(d,q)
local aH,aR=d.head,d.length
if aH==aR or bS(d,aH+1)>q then return aH end
while aH<aR do
local bm=am((aH+aR)/2)
if bS(d,bm)<=q then aH=bm else aR=bm-1 end
end
return aH
end
local function fh(d,m)
local aH,aR=d.head,d.length
while aH<aR do
local bm=am((aH+aR)/2)
if ch(d.sum,cj(d,bm))>=m then aH=bm else aR=bm-1 end
end
return aH
end
local function er(d,T)
d.tail,d.length=T,d.pages*bi+#T/aL
d.sum=d.length>d.head and select(2,bS(d,d.length))or d.base
end
local function eJ(d,q,S)
d.tail=d.tail..K(bN,q+d.shift,S)
d.length,d.sum=d.length+1,S
end
function ax.open(a,b)
local ah=cM(a,b)
local dY=y[a]and y[a].key==ah and y[a].is_apart
y[a]={
key=ah,is_apart=dY,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return y[a]
end
function ax.load(a,b)
local d,aw,T=ax.open(a,b),cF[a],cI[a]or""
if#T%aL~=0 then return bW(a)end
if aw then
d.pages,d.head,d.shift=aw[1],aw[2],aw[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not ea(a,d,"LRANGE",cn)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
T=K(bN,e[a]+d.shift,c[a])
end
er(d,T)
d.base=ch(d.sum,c[a])
end
local function dl(a,b)
local d,bn=y[a],aU(a)-b.period
if d.over~=bn then d.over,d.last_over=bn,fi(d,bn)end
return d.last_over
end
function ax.used(a,b)
local d=y[a]
return ch(d.sum,cj(d,dl(a,b)))
end
function ax.advance(a,b)
local d,bn=y[a],dl(a,b)
d.base=cj(d,bn)
d.head=bn
c[a]=ch(d.sum,d.base)
g[a]=ab(g[a],c[a])
end
function ax.reset_after(a,b)
local d=y[a]
if d.length==d.head then return 0 end
return H(0,bS(d,d.length)+b.period-h)
end
local function gy(a,m)
local d,q=y[a],aU(a)
local S=gx(d.sum,m)
if d.length==d.head then d.base,S=0,m end
if d.length>d.head and bS(d,d.length)==q then
d.tail,d.length=string.sub(d.tail,1,-aL-1),d.length-1
end
eJ(d,q,S)
e[a]=q
end
local function gU(d,ao)
if ao<=d.pages*bi then
local ey=H(0,am(ao/bi)-1)
local T=ao>0 and string.sub(fo(d,ey+1),1,(ao-ey*bi)*aL)or""
d.pages=ey
return er(d,T)
end
er(d,string.sub(d.tail,1,(ao-d.pages*bi)*aL))
end
local function gS(a,m)
local d=y[a]
local A,S=fh(d,m),ch(d.sum,m)
d.cuts[A],d.cuts[A+1]=true,true
local q=A<d.length and S~=cj(d,A)and bS(d,A+1)
gU(d,A)
if q then eJ(d,q,S)end
end
function ax.record(a,bE)
if bE>0 then gy(a,bE)else gS(a,-bE)end
end
function ax.note(a,b,ad)
local d=y[a]
if ap[a]and ap[a]>h then d.cuts[fi(d,H(e[a],ap[a])-b.period)]=true end
if ad>=0 and ax.used(a,b)>ad then d.cuts[fh(d,ad+1)+1]=true end
end
function ax.note_each(a,b,m)
local d,ao=y[a],dl(a,b)
local s,ad=cj(d,ao),ax.used(a,b)+m-b.capacity_ticks
while ao<d.length and ch(cj(d,ao),s)<ad do
ao=ao+1
d.cuts[ao]=true
end
bK[a].is_whole=ao==d.length
if not bK[a].is_whole then ax.note(a,b,-1)end
end
function ax.see(a,b)
local d,bn=y[a],dl(a,b)
bK[a]={
key=d.key,pages=d.pages,head=bn,base=cj(d,bn),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function ax.show(a,v)
local X,r=bK[a],#v+1
local S,Z=X.base,0
if X.length>X.head then X.cuts[X.head+1],X.cuts[X.length]=true,true end
v[r]=0
for P,ao in ipairs(et(X.cuts))do
if ao>X.head and ao<=X.length then
local q,bs=bS(X,ao)
v[#v+1],v[#v+2]=q,ch(bs,S)
S,Z=bs,Z+1
end
end
v[r]=X.is_whole and Z or-Z
end
function ax.divide(a)
local d=y[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=ab(ae(d.head/bi),d.pages,dF)
d.kept=d.pages-d.dropped
local bH,T,ds=d.head-d.dropped*bi,d.tail,{}
if d.kept==0 then bH,T=0,string.sub(T,bH*aL+1)end
local dZ=nil
while#T>cn do
if dZ==nil then dZ=d.is_apart or cN(d.key,"LRANGE",cn)end
if not dZ then break end
ds[#ds+1],T=string.sub(T,1,cn),string.sub(T,cn+1)
end
d.pushed=ds
local fp=d.kept+#ds
return(fp>0 or d.shift~=0)and K(cU,fp,bH,d.shift)or"",T
end
function ax.write(a,ac)
local d=y[a]
if d.is_apart and d.kept==0 then aa("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
aa("LTRIM",d.key,d.dropped,d.pages-1)
end
cr("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then aa("PEXPIRE",d.key,ac)end
end
function ax.rewind(a,ay)
y[a].shift,y[a].over=y[a].shift+ay,nil
end
aN[cC]=ba(ax)
local gM=ax.keep
function ax.keep(a,b,C)
if not gM(a,b,C)then return false end
dM(a,b,"LRANGE",cn)
return true
end
end
if aD or aO[eD]then
local aB={is_reservable=true}
local function dV(az,o)
while o~=0 do az,o=o,az%o end
return az
end
function aB.define(b)
local cT=dV(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cT,b.rate/cT
end
function aB.used(a,b)
local c,e,g=c[a],e[a],0
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bD,bB,bC=c,e,g
function aB.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bD[a],bB[a],bC[a]=c,e,g
end
function aB.reset_after(a,b)
local c,e,g,w=c[a],e[a],0,nil
local B=h-e
if B>0 then
c,e=c-B*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
w=c==0 and 0 or e-h+am(c/b.refill_per_ms)
return w
end
aB.queues=true
aN[eD]=ba(aB)
end
if aD or aO[cW]then
function cM(a,b)
return(string.gsub(KEYS[dX[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cG(aM,ah)
local D=redis.pcall(aM,ah,0,0)
if not D.err then return D end
if not aC(D.err,"WRONGTYPE",1,true)then error(D.err)end
end
function cN(ah,aM,aj)
local D=cG(aM,ah)
if not D then return false end
if D[1]and#D[1]~=aj then return false end
if D[1]then aa("UNLINK",ah)end
return true
end
local function ea(a,d,aM,aj)
local D=cG(aM,d.key)
if not D or D[1]and#D[1]~=aj then return bW(a)end
return D[1]~=nil
end
local function cr(aM,ah,cd)
for F=1,#cd,aP do
aa(aM,ah,unpack(cd,F,ab(F+aP-1,#cd)))
end
end
local function aU(a)
return H(e[a],h)
end
local function et(eq)
local aW={}
for ah in pairs(eq)do aW[#aW+1]=ah end
table.sort(aW)
return aW
end
local cX,dE,de="<I7B",8,35184372088832
local dF=128
local function ci(G,q)
return cg("%.0f",(G-1)*de+q)
end
local function dP(m,ex)
local G=1
while m>0 do
if m%2==1 then ex(G)end
m,G=ae(m/2),G+1
end
end
local function fT(d,q)
local m,fP=0,H(0,d.floor+d.shift+1)
for G=1,d.sizes do
local bc=aa("ZCOUNT",d.key,ci(G,fP),ci(G,q+d.shift))
m=m+2^(G-1)*bc
end
return m
end
local function gB(d,t)
local bc={}
for G=1,d.sizes do bc[G]=K(cX,t,G)end
local n={units=0,id=t}
for G,p in ipairs(#bc>0 and aa("ZMSCORE",d.key,unpack(bc))or{})do
if p then
n.units=n.units+2^(G-1)
n.instant=tonumber(p)-(G-1)*de-d.shift
end
end
return n.units>0 and n or nil
end
local function gO(d,aS)
for G=1,d.sizes do
local F,A,bd=ci(G,aS+d.shift),ci(G+1,-1),{}
for P,gt in ipairs(aa("ZRANGEBYSCORE",d.key,"("..F,A))do
bd[#bd+1],bd[#bd+2]=F,gt
end
cr("ZADD",d.key,bd)
end
end
local function gA(d)
local dK,Q,D={},{},aa("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#D,2 do
local t,G=Y(cX,D[f])
local n=dK[t]or{units=0,id=t}
n.instant=tonumber(D[f+1])-(G-1)*de-d.shift
n.units=n.units+2^(G-1)
if not dK[t]then dK[t],Q[#Q+1]=n,n end
end
return Q
end
local function gX(d,gE,cE)
local bc,bd={},{}
for t,n in pairs(gE)do
dP(n.units,function(G)bc[#bc+1]=K(cX,t,G)end)
end
for P,n in pairs(cE)do
dP(n.units,function(G)
bd[#bd+1],bd[#bd+2]=ci(G,n.instant+d.shift),K(cX,n.id,G)
end)
end
cr("ZREM",d.key,bc)
cr("ZADD",d.key,bd)
return#bd/2
end
local function gb(d,cE)
local ai=dF+cE
for G=1,d.sizes do
local F,A=ci(G,0),ci(G,H(-1,d.floor+d.shift))
local bc=ai>0 and aa("ZRANGEBYSCORE",d.key,F,A,"LIMIT",0,ai)or{}
cr("ZREM",d.key,bc)
ai=ai-#bc
end
end
local eE,bw="<i6I4I7",17
local fI=-de
local cY=16
local W={holds_leases=true,keeps_list=true}
function W.open(a,b)
local ah=cM(a,b)
local dY=y[a]and y[a].key==ah and y[a].is_apart
y[a]={
key=ah,is_apart=dY,shift=0,cuts={},kept={},sizes=0,floor=fI,
found={},removed={},added={},
}
return y[a]
end
function W.load(a,b)
local d,aw,p=W.open(a,b),cF[a],cI[a]or""
if#p%bw~=0 then return bW(a)end
local f=1
while f<=#p do
local n={}
n.instant,n.units,n.id,f=Y(eE,p,f)
d.kept[#d.kept+1]=n
end
if not aw then return end
d.sizes,d.floor,d.shift=aw[1],aw[2],aw[3]
d.is_apart,d.kept=true,nil
if ea(a,d,"ZRANGE",dE)or aG[a]then return end
W.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=bx}
end
local function eS(d,q)
if q<=d.floor then return 0 end
if not d.kept then return fT(d,q)end
local m=0
for P,n in ipairs(d.kept)do
if n.instant>q then break end
if n.instant>d.floor then m=m+n.units end
end
return m
end
local function dN(Q,d,q)
local m=0
for P,n in pairs(Q)do
if n.instant>d.floor and n.instant<=q then m=m+n.units end
end
return m
end
local function eT(d,q)
return eS(d,q)-dN(d.removed,d,q)+dN(d.added,d,q)
end
local function fU(a)
local d,q=y[a],aU(a)
if q<=d.floor then return 0 end
if d.over~=q then d.over,d.units_over=q,eT(d,q)end
return d.units_over
end
function W.used(a)
return c[a]-fU(a)
end
function W.advance(a)
c[a]=W.used(a)
y[a].floor=H(y[a].floor,aU(a))
end
local function ge(d,t)
for P,n in ipairs(d.kept)do
if n.id==t then return n end
end
end
local function gf(d,t)
if d.found[t]==nil then
d.found[t]=(d.kept and ge or gB)(d,t)or false
end
return d.found[t]or nil
end
local function fa(d,t)
local n=d.added[t]or not d.removed[t]and gf(d,t)or nil
return n and n.instant>d.floor and n or nil
end
local function bt(d,t)
local n=fa(d,t)
if not n then return 0 end
if d.added[t]then d.added[t]=nil else d.removed[t]=n end
return n.units
end
local function cD(a,t,m,q)
local d=y[a]
local s=bt(d,t)
d.added[t]={instant=q,units=s+m,id=t}
end
function W.charge(a,b,m,t)
W.advance(a)
e[a]=aU(a)
cD(a,t,m,e[a]+b.period)
c[a]=c[a]+m
end
W.settle=W.advance
function W.reset_after(a,b)
return W.used(a)==0 and 0 or e[a]+b.period-h
end
function W.begin(a,b,z,P,f)
W.open(a,b)
c[a],e[a],al[a],g[a]=0,f,nil,0
if z>0 then W.charge(a,b,z,bx)end
end
local function eN(ar,ay,aS)
local Q={}
for l,n in ipairs(ar)do
Q[l]={instant=ab(n.instant-ay,aS),units=n.units,id=n.id}
end
return Q
end
function W.keep(a,b,C)
dM(a,b,"ZRANGE",dE)
W.advance(a)
local d,aS=y[a],aU(a)+b.period
if d.kept then d.kept=eN(d.kept,0,aS)
elseif b.period<C.period and not aG[a]then gO(d,aS)
end
e[a]=aU(a)
return true
end
local function fn(Q,ay)
local fm={}
for t,n in pairs(Q)do fm[t]={instant=n.instant-ay,units=n.units,id=t}end
return fm
end
function W.rewind(a,ay)
local d=y[a]
d.floor,d.over,d.found=d.floor-ay,nil,{}
d.added,d.removed=fn(d.added,ay),fn(d.removed,ay)
if d.kept then d.kept=eN(d.kept,ay,math.huge)else d.shift=d.shift+ay end
end
local function el(a,t,r)
W.advance(a)
local d=y[a]
local n=fa(d,t)
if not n or n.units~=r then return false end
c[a]=c[a]-bt(d,t)
return true
end
local function fq(a,b,t,r)
local cJ=el(a,t,r)
if cJ then W.charge(a,b,r,t)end
return cJ
end
local function eW(a,ex)
for P,o in ipairs(aE[a]or{})do
if M[o].algorithm==W then ex(o,M[o])end
end
end
function W.release(a,P,t,r)
eW(a,function(o)el(o,t,r)end)
el(a,t,r)
end
function W.renew(a,b,t,r)
if not fq(a,b,t,r)then return end
eW(a,function(o,ff)
if not fq(o,ff,t,r)then W.charge(o,ff,r,t)end
end)
end
local function gd(a,b,m)
local d,aH,aR=y[a],aU(a),e[a]+b.period
for P,n in ipairs(d.kept or{})do
local cJ=n.instant>d.floor and not d.removed[n.id]
if cJ then m=m-n.units end
if cJ and m<=0 then return n.instant end
end
if d.kept then return aR end
while aH+1<aR do
local bm=ae((aH+aR)/2)
if eT(d,bm)>=m then aR=bm else aH=bm end
end
return aR
end
function W.note(a,b,ad)
local d=y[a]
if ap[a]and ap[a]>h then d.cuts[H(e[a],ap[a])]=true end
if ad>=0 and W.used(a)>ad then d.cuts[gd(a,b,c[a]-ad)]=true end
end
function W.note_each(a)
bK[a].is_whole=true
end
function W.see(a,b)
local d=y[a]
bK[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=H(d.floor,aU(a)),
used=W.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function gv(X)
local ft,Q=X.found,{}
if X.is_whole then ft=X.kept or gA(X)end
for P,n in pairs(ft)do
if n and n.instant>X.floor then Q[#Q+1]=n end
end
table.sort(Q,function(az,o)return az.instant<o.instant end)
return Q
end
function W.show(a,v)
local X,r,Z,S,cP=bK[a],#v+1,0,0,1
local ec=gv(X)
local function fs(q,m,t)
v[#v+1],v[#v+2],v[#v+3]=q,m,t
Z=Z+1
end
v[r],X.cuts[X.latest]=0,true
for P,cs in ipairs(et(X.cuts))do
if cs>X.floor and cs<=X.latest then
local bs=cs==X.latest and X.used or eS(X,cs)
local L=bs-S
while ec[cP]and ec[cP].instant<=cs do
local n=ec[cP]
fs(n.instant,n.units,n.id)
L,cP=L-n.units,cP+1
end
if L>0 then fs(cs,L,-1-Z)end
S=bs
end
end
v[r]=Z
end
local function an(d)
local Q={}
for P,n in ipairs(d.kept)do
if n.instant>d.floor and not d.removed[n.id]then Q[#Q+1]=n end
end
for P,n in pairs(d.added)do Q[#Q+1]=n end
return Q
end
function W.divide(a)
local d,D=y[a],{}
if not d.kept and c[a]==dN(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local Q=an(d)
if#Q<=cY or not(d.is_apart or cN(d.key,"ZRANGE",dE))then
for l,n in ipairs(Q)do D[l]=K(eE,n.instant,n.units,n.id)end
return"",table.concat(D)
end
d.moved=Q
end
for P,n in pairs(d.moved or d.added)do
dP(n.units,function(G)d.sizes=H(d.sizes,G)end)
end
return K(cU,d.sizes,d.floor,d.shift),""
end
function W.write(a,ac)
local d=y[a]
if d.kept and d.is_apart then aa("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cE=gX(d,d.removed,d.moved or d.added)
if not d.kept then gb(d,cE)end
aa("PEXPIRE",d.key,ac)
end
aN[cW]=W
end
if aD or ed then
local cR,bt=string.rep,table.remove
local gV,gP=c,e
local function dr(a)
return H(e[a],h)
end
local function dq(a,ay)
local k={unpack(y[a].shares)}
for l=1,#k,af do k[l]=k[l]-ay end
y[a]={shares=k}
return k
end
local function eV(a)
local k,q=y[a].shares,dr(a)
if not k[1]or k[1]>q then return end
k=dq(a,0)
while k[1]and k[1]<=q do
for P=1,af do bt(k,1)end
end
end
local function dy(a,q)
local k,m=y[a].shares,0
for l=1,#k,af do
if k[l]>q then m=m+k[l+1]end
end
return m
end
local function cQ(a)
y[a]={shares={}}
end
local function gs(a)
local p=cI[a]or""
local r=#p/eI
if r%1~=0 or r>cZ then return bW(a)end
local k={Y(cR(dd,r),p)}
k[#k]=nil
y[a]={shares=k}
end
local function fZ(a)
local k=y[a].shares
return"",K(cR(dd,#k/af),unpack(k))
end
local function gL(a)
bK[a]=y[a].shares
end
local function es(a,v)
local k,f=bK[a],#v+1
v[f]=#k/af
for l=1,#k do v[f+l]=k[l]end
end
local function gg(a,b)
if dy(a,dr(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],al[a],g[a]=dy(a,0)*b.counts_per_unit,nil,0
return true
end
local function em(a,b,f,ai,bP)
b.algorithm.advance(a,b)
local k,ak=dq(a,0),0
local bJ,bX=0,0
for cS=1,ai+bP do
local eo,m,l=N[f],N[f+1],af
while k[l]and k[l]~=eo do l=l+af end
if k[l]then
local s=k[l-1]
local cl=ab(s,m)
local aF=cS>ai and 0 or cl
k[l-1],ak,bX=aF,ak-s+aF,bX+s-cl
if cS>ai then bJ=bJ+cl end
for P=1,aF==0 and af or 0 do bt(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bJ*b.counts_per_unit
g[a]=g[a]+bX*b.counts_per_unit
end
local function gr(a,b,t,bM)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ak,z=dq(a,0),dy(a,0),i.used(a,b)
local cf=i.lent_until(a,b)
local m=0
if bM>0 and#k<af*cZ then
local dW=ae(b.capacity_ticks/b.ticks_per_unit/2)
m=ab(bM,am(ae((b.capacity_ticks-z)/b.ticks_per_unit)/2),dW-ak)
end
if m>0 then
local Q,q=m,H(cf,k[#k-2]or cf)
for l=#k,af,-af do
if k[l]==t then
Q=Q+k[l-1]
for P=1,af do bt(k,l-2)end
end
end
local A=#k
k[A+1],k[A+2],k[A+3]=q,Q,t
ak=ak+m
else
m=0
end
c[a]=c[a]+m*b.counts_per_unit
return m
end
local function ee(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cQ,gs,fZ,gL,es,dq
i.forget,i.report,i.lend=gg,em,gr
return ba(i)
end
local aB={base=aN[bA],is_reservable=true,define=aN[bA].define}
local function dJ(a,b)
local c,e,k=gV[a],gP[a],y[a].shares
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
eV(a)
end
function aB.reset_after(a,b)
local k,w=y[a].shares,nil
local c,e,an=dJ(a,b)
local bI,q=c,e
for l=1,#k,af do
if k[l]>e then
bI=H(an,bI-(k[l]-q)*b.refill_per_ms)
q,an=k[l],an-k[l+1]*b.ticks_per_unit
end
end
w=bI<=0 and 0 or q+am(bI/b.refill_per_ms)-h
return w
end
function aB.lent_until(a,b)
return dr(a)+b.share
end
local function fj(aJ)
local i=setmetatable({base=aJ},{__index=aJ})
function i.advance(a,b)
aJ.advance(a,b)
eV(a)
end
function i.lent_until(a,b)
return ab(dr(a)+b.share,e[a]+b.period)
end
return i
end
aN[dC]=ee(aB)
aN[dA]=ee(fj(aN[ag]))
aN[dB]=ee(fj(aN[ca]))
end
for P,b in ipairs(aT)do eM(b)end
local fg=aD or aO[cC]or aO[cW]or ed
for F=1,#O,aP do
local A,aW=ab(F+aP-1,#O),{}
for l=F,A do aW[#aW+1]=KEYS[O[l]]end
if aa("EXISTS",unpack(aW))>0 then
for l=F,A do
if aa("EXISTS",KEYS[O[l]])==1 then bW(O[l])end
end
end
end
for P,a in ipairs(O)do
if not aG[a]then M[a].algorithm.begin(a,M[a],0,0,h)end
end
if aD then
local fH=7
local function ek(E)
local ez={}
for gW in string.gmatch(E or"","[^,\\n]+")do ez[#ez+1]=tonumber(gW,36)or false end
local i,ba,aZ,bj,dg=unpack(ez)
local co=aN[i]
if not(co and ba and aZ)then return nil end
bj=bj or ba
local b=ej(E,i,ba,aZ,1,0,0,0)
if co.define then co.define(b)end
b.capacity_ticks=bj*b.ticks_per_unit
if co.is_reservable and ba>0 then
local ad=(co.most_counts and co.most_counts(b)or av)-b.capacity_ticks
b.debt_ticks=dg and ab(dg*b.ticks_per_unit,ad)or ad
end
eM(b)
return b
end
local dm=at
local function ef(a)
dm=dm+1
dX[dm]=a
return dm
end
local function fY(a,p)
aE[a]={}
for l,gQ in ipairs(cmsgpack.unpack(p))do
local o,E,aw=ef(a),nil,nil
E,c[o],e[o],g[o],al[o],bp[o],aw,cI[o]=
unpack(gQ)
if al[o]==0 then al[o]=nil end
local b=assert(ek(E))
M[o],aE[a][l]=b,o
if aw~=""then cF[o]={Y(cU,aw)}end
if b.algorithm.load then b.algorithm.load(o,b)end
assert(not aG[o])
end
end
function eX(a)
local Q,aS={},h
for l,o in ipairs(aE[a])do
local b,aw,cH=M[o],"",""
aS=H(aS,bp[o])
if b.algorithm.divide then aw,cH=b.algorithm.divide(o)end
Q[l]={
b.definition,c[o],e[o],g[o],al[o]or 0,bp[o],aw,cH,
}
end
return cmsgpack.pack(Q),aS-h
end
function fC(a,ac)
for P,o in ipairs(aE[a])do
local i=M[o].algorithm
if i.write then i.write(o,ac)end
end
end
local function fX(a)
local C=ek(string.match(bv[a],"^[^\\n]*\\n"))
if not C or not eU(a,#C.definition)then return nil end
if dw[a]and not pcall(fY,a,dw[a])then return nil end
return C
end
local function dL(z,C,b)
if C.ticks_per_unit==b.ticks_per_unit then return z end
local m=ae(z/C.ticks_per_unit)
local gG=(z-m*C.ticks_per_unit)/C.ticks_per_unit
return m*b.ticks_per_unit+ab(b.ticks_per_unit,am(gG*b.ticks_per_unit))
end
local function fl(z,C,b)
return b.capacity_ticks+ab(dL(H(0,z-C.capacity_ticks),C,b),b.debt_ticks)
end
local function gI(az,o)
return(az.base or az)==(o.base or o)
end
local function gu(a,b,C)
local dp,cO=C.algorithm,b.algorithm
if gI(dp,cO)and cO.keep(a,b,C)then
if dp.base or cO.base then y[a]=cO.base and{shares={}}or nil end
return
end
dp.advance(a,C)
local z=dp.used(a,C)
local ar=ab(dL(z,C,b),fl(z,C,b))
local cQ=ab(ar,dL(g[a]*C.ticks_per_unit/C.counts_per_unit,C,b))
y[a]=nil
cO.begin(a,b,ar,cQ,H(h,e[a]))
end
local function fk(b)
if b.rate==0 then return 2*b.period end
return b.period*H(2,am(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function eQ(az,o)
c[o],e[o],g[o],al[o]=c[az],e[az],g[az],al[az]
end
local function eR(az,bG)
for eZ,x in pairs(az)do
if bG[eZ]==nil then bG[eZ]=x end
end
return bG
end
function dM(a,b,gz,aj)
local d=y[a]
local bG=eR(d,{key=cM(a,b),is_beside=false,cuts={},found={},removed={},added={}})
y[a]=bG
if not bG.is_apart or bG.key==d.key then return end
if not cN(bG.key,gz,aj)then return bW(a)end
aa(d.is_beside and"COPY"or"RENAME",d.key,bG.key)
end
local function eP(a,C,b)
local o=ef(a)
M[o],y[o]=C,y[a]
if y[a]then
y[a].is_beside=true
y[a]=eR(y[a],{})
end
eQ(a,o)
bp[o]=ab(h+H(C.algorithm.reset_after(o,C),fk(C),fk(b)),av)
return o
end
local function en(a,b)
if e[a]-h<b.period then return 0 end
local V=b.algorithm.is_aligned and b.period or 1
local ay=ae((e[a]-h)/V)*V
e[a],ap[a]=e[a]-ay,ap[a]and H(0,ap[a]-ay)
if y[a]then b.algorithm.rewind(a,ay)end
return ay
end
local function dO(L)
local ar={}
for P,o in ipairs(L or{})do
bp[o]=bp[o]-en(o,M[o])
if bp[o]>h then ar[#ar+1]=o end
end
return ar
end
local eG="1,0,eiz5s00,gjdgxs\\n"
local function eh(L)
for l,o in ipairs(L or{})do
if M[o].definition==eG then return o,l end
end
end
local function gw(a)
local aq=ef(a)
M[aq]=ek(eG)
c[aq],e[aq],al[aq],g[aq],bp[aq]=0,h,0,0,0
return aq
end
local function fO(a,C,L)
local aq,l=eh(L)
if aq then table.remove(L,l)else aq=gw(a)end
local z,cu=C.algorithm.used(a,C),C.ticks_per_unit
c[aq]=H(c[aq],am(z/cu))
al[aq]=H(al[aq]or 0,am((z-C.capacity_ticks)/cu))
bp[aq]=H(bp[aq],ab(h+C.algorithm.reset_after(a,C),av))
L[#L+1]=aq
end
local function fV(a,b)
local aq=eh(aE[a])
if not aq then return end
local i,cu=b.algorithm,b.ticks_per_unit
local dg=ab((al[aq]or 0)*cu,b.debt_ticks)
local z=ab(c[aq]*cu,b.capacity_ticks+dg)
local cy=z-i.used(a,b)
if cy<=0 then return end
if i.holds_leases then return i.charge(a,b,cy,h)end
i.advance(a,b)
i.begin(a,b,z,g[a]*cu/b.counts_per_unit,H(h,e[a]))
end
local function gT(a,b,C,L)
local P,aq=eh(L)
if C.algorithm.reset_after(a,C)>0 then
local gj=#L-(aq and 1 or 0)>=fH
if gj then fO(a,C,L)
else L[#L+1]=dO({eP(a,C,b)})[1]end
end
aE[a]=#L>0 and L or nil
gu(a,b,C)
fV(a,b)
end
local function gR(a,b,C,L,gp)
en(a,C)
local o=table.remove(L,gp)
L[#L+1]=eP(a,C,b)
aE[a]=L
eQ(o,a)
y[a]=y[o]
end
local function fR(a,b,C)
local L=dO(aE[a])
for l,o in ipairs(L)do
if M[o].definition==b.definition then return gR(a,b,C,L,l)end
end
gT(a,b,C,L)
end
function cq(a,b)
local gi=e[a]>h and c[a]==0 and(al[a]or 0)==0 and(ap[a]or 0)<=h
if gi then b.algorithm.begin(a,b,0,0,h)end
end
local function gD(a,b)
local C=fX(a)
if not C then return bW(a)end
local fe=C.definition==b.definition
if fe and e[a]<=h then return end
if C.algorithm.load then C.algorithm.load(a,C)end
if aG[a]then return end
if not fe then fR(a,b,C)end
en(a,b)
cq(a,b)
aQ[a]=true
end
function cx(a,b,r,n)
local L=dO(aE[a])
aE[a]=#L>0 and L or nil
local z=b.algorithm.used(a,b)
for P,o in ipairs(L)do
local ck,m=M[o],r
if n==bx or not ck.algorithm.holds_leases then
local gH=fl(z,b,ck)-ck.algorithm.used(o,ck)
m=ab(r,ae(gH/ck.ticks_per_unit))
end
if m>0 then ck.algorithm.charge(o,ck,m,n~=bx and n or h)end
end
end
for P,a in ipairs(aD)do gD(a,M[a])end
end
for a=1,fg and at or 0 do
local b=M[a]
if b.algorithm.load and not aG[a]then
if not y[a]then b.algorithm.load(a,b)end
if not aG[a]then b.algorithm.see(a,b)end
end
end
local v,du={h,0},{}
for a=1,at do
local f=da+dc*(a-1)
local cK,dk=c[a],g[a]
if M[a].algorithm.note and not aG[a]then
cK=M[a].algorithm.used(a,M[a])
dk=ab(dk,cK)
end
v[f+1],v[f+2]=cK,h-e[a]
if dk~=cK and not aG[a]then du[a]=cK-dk end
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
local function fb(a,b,z,ad)
local gh=ap[a]and ap[a]>h
return not gh and b.algorithm.used(a,b)+z<=ad
end
local function ct(a,b,z,ad)
if aD then cq(a,b)end
if aG[a]then return false end
if fb(a,b,z,ad)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ad-z)end
return false
end
local function eu(a,b,r,n)
b.algorithm.charge(a,b,r,n)
if aE[a]then cx(a,b,r,n)end
aQ[a]=true
end
local function fw(a)
local b=M[a]
if not ct(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
eu(a,b,1,bx)
I=I+1
end
if not N then
for a=1,at do fw(a)end
else
local function eK(f,bh)
if bh==1 then return N[f],1,0,0,bx end
return unpack(N,f,f+bh-1)
end
local function ev(F,A,bh,gk)
local dG=not gk
for f=F,A,bh do
local a,r,cw,bU=eK(f,bh)
local b=M[a]
local ad=cw==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dG=ct(a,b,H(1,r)*b.ticks_per_unit+bU,ad)and dG
end
for f=F,dG and A or 0,bh do
local a,r,P,P,n=eK(f,bh)
if r>0 then eu(a,M[a],r,n)end
I=I+1
end
end
local function es(a,m)
local i=M[a].algorithm
if i.note_each and not aG[a]then i.note_each(a,M[a],m)end
end
local function ce(a,b,i,ay)
i.advance(a,b)
local aF=i.is_aligned or i.holds_leases and c[a]>0
if not aF then e[a]=H(e[a],h)end
ap[a]=H(e[a],h)+ay
end
local function fv(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gF(a,b,i)
if ap[a]and ap[a]<=h then ap[a]=nil end
local ak={}
for P,o in ipairs(aE[a]or{})do
if bp[o]>h and fv(o,M[o])then ak[#ak+1]=o
else dU[#dU+1]=y[o]
end
end
aE[a]=#ak>0 and ak or nil
if not fv(a,b)then i.begin(a,b,0,0,h)end
end
local function bE(V,a,F,ep)
local b=M[a]
local i=b.algorithm
if aG[a]then return end
if aD then cq(a,b)end
if V==fL then i.settle(a,b,F,ep)
elseif V==fK then gF(a,b,i)
elseif V==fE then ce(a,b,i,F)
elseif V==fN then ap[a]=nil
elseif V==fJ and i.holds_leases then i.release(a,b,F,ep)
elseif V==eH and i.holds_leases then i.renew(a,b,F,ep)
end
if aD then cq(a,b)end
aQ[a]=true
end
local function ga(f)
local a,r,cw,t,bM,ai,bP=unpack(N,f+1,f+bO[cm])
local b=M[a]
local i=b.algorithm
if aG[a]then return end
if aD then cq(a,b)end
if ai+bP>0 then
local em=i.report or i.advance
em(a,b,f+1+bO[cm],ai,bP)
aQ[a]=true
end
local ad=cw==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not fb(a,b,H(1,r)*b.ticks_per_unit,ad)then return end
if r>0 then eu(a,b,r,bx)end
local m=i.lend and i.lend(a,b,t,bM)or 0
if m>0 and aE[a]then cx(a,b,m,bx)end
aQ[a],I=true,I+1+m
end
local f,A=1,#N
while f<=A do
local V,bh=N[f],fB(f)
if V>0 then fw(V)
elseif V==cb then ev(f+1+bO[cb],f+bh-1,cV)
elseif V==df then ev(f+1+bO[df],f+bh-1,1)
elseif V==dD then ev(f+1+bO[dD],f+bh-1,cV,true)
elseif V==cm then ga(f)
elseif V==fM then es(N[f+1],N[f+2])
else bE(V,N[f+1],N[f+2],N[f+3])
end
f=f+bh
end
end
for a=1,fg and at or 0 do
local i=M[a].algorithm
if i.show and not aG[a]then i.show(a,v)end
end
local function gc(a,L)
local E,c,e,g=M[a].definition,c[a],e[a],g[a]
local s,ce,j,cv,p,aw,cH=al[a],ap[a]or 0,0,"",nil,"",""
local i,aI=M[a].algorithm,nil
if i.divide then aw,cH=i.divide(a)end
if ce~=0 then j,cv=dz,K(eA,ce)end
if L~=""then j,cv=j+eC,cv..K(eF,#L,L)end
if aw~=""then j,cv=j+eB,cv..aw end
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
if s then j,u=j+bq,u..K("<I7",s)end
p=K(au,E,j,e,c)..u
end
return p..cv..cH
end
local function gJ(a)
local b,ah,L,fA=M[a],KEYS[a],"",0
local s,ce=al[a]or 0,ap[a]or 0
local w=b.algorithm.reset_after(a,b)
if aE[a]then L,fA=eX(a)end
w=H(w,ce-h,fA)
if not(w>0 or aX>0 and(c[a]>0 or s>0 or ce>0))then
if y[a]and y[a].is_apart then aa("UNLINK",y[a].key)end
return aa("DEL",ah)
end
local ac
ac=cg("%d",(w<av and w or av)+aX)
aa("PSETEX",ah,ac,gc(a,L))
if b.algorithm.write then b.algorithm.write(a,ac)end
if aE[a]then fC(a,ac)end
end
local function gK()
for a=1,at do
if aQ[a]and not aG[a]then gJ(a)end
end
for P,d in ipairs(dU)do
if d.is_apart then aa("UNLINK",d.key)end
end
end
local gn,R=pcall(gK)
if not gn then
local p=type(R)=="table"and R.err or R
I=nil
for l,bF in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(p,bF,1,true)then I=-l end
end
local aV=aC(p,"READONLY ",1,true)
if aV then return{err=string.sub(p,aV)}end
if not I then error(R,0)end
end
v[cB]=I
return v
`,
} as const;
