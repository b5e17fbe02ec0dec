/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "6d93259620e9f255eea3490ee3adc3089526f390",
  source: `local I,Y,bX,aC,gW=struct.pack,struct.unpack,string.format,string.find,string.byte
local aa,bR,Z,G,ac,al=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local aw=4503599627370496
local aP=4000
local br=0
local bu,ae,bS,cx,ev,dr,dv,dt,du,cX,fF,fE,fy,fH,fD,ez,ce,cY,dw,fG,cQ,cv,cw,cU,gU,gV,cu=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,2,4,2,3,2
local h,aW=tonumber(ARGV[3]),3600000
if not h then
local ft=aa("TIME")
h,aW=ft[1]*1000+ac(ft[2]/1000),0
end
local aZ,bs,bm,ds,eu,et=4,8,16,32,64,128
local es="<I7"
local ex="<I4c0"
local cP="<I4i7i6"
local cV,eA,ad,cT="<i6I4I7",17,3,256
local dB=bit.band
local function fi(
O,i,aY,dh,ct,refill_per_ms,capacity_ticks,debt_ticks,av,cq
)
return{
numbers=av,bytes=#O+(i<ae and 16 or 10),
definition=O,kind=i,rate=aY,period=dh,ticks_per_unit=ct,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=cq,
}
end
local bb,bp=cjson.decode(ARGV[1]),nil
for l=1,#bb do bb[l]=fi(unpack(bb[l]))end
if ARGV[2]and ARGV[2]~=""then bp=cjson.decode(ARGV[2])end
local au=#KEYS
local bG=aa("MGET",unpack(KEYS,1,Z(au,aP)))
for F=aP+1,au,aP do
local eG=aa("MGET",unpack(KEYS,F,Z(F+aP-1,au)))
for l=1,#eG do bG[F+l-1]=eG[l]end
end
local aX,bT,N
if bp then aX,bT,N=bp.owners,bp.anchors,bp.steps end
if not bp or bp.takes_units then
local J,M,p,H,t,Q=true,nil,{h,0},0,nil,nil
local D,bN={},{}
local L,be,bF,bd,bL,dU,aQ
if N then
L,be,bF,bd,bL,dU,aQ={},{},{},{},{},{},{}
end
for a=1,au do
local b,z=bb[aX and aX[a]or 1],bG[a]
local O,i,c,e,g,r,ar=b.definition,b.kind,0,h,0,nil,nil
if z then
local v,bB,j=nil,nil,nil
if#z==b.bytes then bB,j,e,c,ar=Y(b.numbers,z)end
if bB==O and j==0 then
g=c
elseif aC(z,O,1,true)==1 then
local f=#O+1
ar=nil
local ap,j=#z-f,nil
if ap>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local E=j%4
local bi,bh=j%16>=bs,j%32>=bm
if ap<9+2*E+(bi and 7 or 0)+(bh and 7 or 0)then
f=nil
else
if E>0 then c,f=Y(E==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=aZ and 0 or c
if bi then g,f=Y("<I7",z,f)end
if bh then r,f=Y("<I7",z,f)end
end
end
else
f=nil
end
J=f==#z+1
else
J=false
end
if i>=ae and J then
if i<ae then
v=c==0 and 0 or e-h+al(c/b.refill_per_ms)
elseif i==ae then
v=c==0 and 0 or e+al(c/b.rate)*b.period-h
else
v=c>0 and e+2*b.period-h or r and e+b.period-h or 0
end
ar=v>0 and h+v or nil
end
else
M=M or{}
M[#M+1]=KEYS[a]
if i>=ae then e=h-(h-(bT and bT[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=cx then J=false end
if not J then break end
local f=cv+cw*(a-1)
p[f+1],p[f+2]=c,h-e
if r or g~=c then
t=t or{}
local B=#t
t[B+1],t[B+2],t[B+3],t[B+4]=a,c-g,r or 0,0
end
if N then
L[a],be[a],bF[a],bd[a],bL[a],dU[a]=b,c,e,g,r,ar
else
local y,at
if i<ae then
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,at=c,b.ticks_per_unit
elseif i==ae then
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,at=c,1
else
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
r=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if r then y=y+r*(b.period-G(0,h-e))end
at=1
end
if y+b.ticks_per_unit<=b.capacity_ticks then
c,g,H=c+at,g+at,H+1
local O,j,v,aF,aI,s,ah=b.definition,0,nil,false,nil,nil,nil
if i<ae then
v=c==0 and 0 or e-h+al(c/b.refill_per_ms)
elseif i==ae then
v=c==0 and 0 or e+al(c/b.rate)*b.period-h
else
v=c>0 and e+2*b.period-h or r and e+b.period-h or 0
end
if aW==0 then aF=ar and h+v<=ar end
if i<ae and c<16777216 and g==c then
if aW==0 and not aF then
v=v+ac(v/4)
ar=h+v
end
aI=ar or h
end
if c<16777216 and g==c and not r then
if aI then s=I("<c0Bi6I3i6",O,j,e,c,aI)
else s=I("<c0Bi6I3",O,j,e,c)
end
else
local av,t="<c0Bi6I3",""
if c>=1099511627776 then av,j="<c0Bi6I7",j+2
elseif c>=16777216 then av,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+aZ
elseif g~=c then j,t=j+bs,I("<I7",g)
end
if r then j,t=j+bm,t..I("<I7",r)end
s=I(av,O,j,e,c)..t
end
if not aF then
ah=bX("%d",(v<aw and v or aw)+aW)
end
D[a],bN[a]=s,ah
end
end
end
if M and J and(#M>aP or aa("EXISTS",unpack(M))>0)then J=false end
if J and N then
local f,B=1,#N
while f<=B do
local F,da,cl=f,f,true
if N[f]==cY then F,da=f+2,f+1+N[f+1]end
for as=F,da do
local a=N[as]
local b,c,e,g,r=L[a],be[a],bF[a],bd[a],bL[a]
local i=b.kind
local y,at
if i<ae then
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,at=c,b.ticks_per_unit
elseif i==ae then
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,at=c,1
else
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
r=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if r then y=y+r*(b.period-G(0,h-e))end
at=1
end
be[a],bF[a],bd[a],bL[a]=c,e,g,r
cl=cl and y+b.ticks_per_unit<=b.capacity_ticks
end
for as=F,cl and da or 0 do
local a=N[as]
local b=L[a]
local at=b.kind==bS and 1 or b.ticks_per_unit
be[a],bd[a],aQ[a]=be[a]+at,bd[a]+at,true
H=H+1
end
f=da+1
end
for a=1,au do
if aQ[a]then
local b,c,e,g,r,ar=L[a],be[a],bF[a],bd[a],bL[a],dU[a]
local i=b.kind
local O,j,v,aF,aI,s,ah=b.definition,0,nil,false,nil,nil,nil
if i<ae then
v=c==0 and 0 or e-h+al(c/b.refill_per_ms)
elseif i==ae then
v=c==0 and 0 or e+al(c/b.rate)*b.period-h
else
v=c>0 and e+2*b.period-h or r and e+b.period-h or 0
end
if aW==0 then aF=ar and h+v<=ar end
if i<ae and c<16777216 and g==c then
if aW==0 and not aF then
v=v+ac(v/4)
ar=h+v
end
aI=ar or h
end
if c<16777216 and g==c and not r then
if aI then s=I("<c0Bi6I3i6",O,j,e,c,aI)
else s=I("<c0Bi6I3",O,j,e,c)
end
else
local av,t="<c0Bi6I3",""
if c>=1099511627776 then av,j="<c0Bi6I7",j+2
elseif c>=16777216 then av,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+aZ
elseif g~=c then j,t=j+bs,I("<I7",g)
end
if r then j,t=j+bm,t..I("<I7",r)end
s=I(av,O,j,e,c)..t
end
if not aF then
ah=bX("%d",(v<aw and v or aw)+aW)
end
D[a],bN[a]=s,ah
end
end
end
if J then
for a=1,au do
if D[a]then
local aK
if bN[a]then aK=bR("PSETEX",KEYS[a],bN[a],D[a])
else aK=bR("SET",KEYS[a],D[a],"KEEPTTL")
end
Q=Q or aK.err
end
end
if Q then
local s=type(Q)=="table"and Q.err or Q
H=nil
for l,bz in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(s,bz,1,true)then H=-l end
end
local aT=aC(s,"READONLY ",1,true)
if aT then return{err=string.sub(s,aT)}end
if not H then error(Q,0)end
end
p[cu],p[#p+1]=H,t and#t/cU or 0
for f=1,t and#t or 0 do p[#p+1]=t[f]end
return p
end
elseif bp.lends then
local cL,bQ,bo=string.rep,string.sub,table.remove
local fx={[dv]=bu,[dt]=ae,[du]=bS}
local J,M,p,H,t,Q=true,nil,{h,0},0,nil,nil
for U,b in ipairs(bb)do
b.base=fx[b.kind]or b.kind
b.unit=b.base==bS and 1 or b.ticks_per_unit
end
local L,be,bF,bd,bL,dp,aQ={},{},{},{},{},{},{}
local dm,de,cs={},{},{}
local W={}
for a=1,au do
local b,z=bb[aX and aX[a]or 1],bG[a]
local O,i,c,e,g,r=b.definition,b.base,0,h,0,nil
local k,ai,u=nil,0,0
if not z then
M=M or{}
M[#M+1]=KEYS[a]
if i>=ae then e=h-(h-(bT and bT[a]or 0))%b.period end
elseif aC(z,O,1,true)==1 then
local f=#O+1
local ap,j=#z-f,nil
if ap>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local E=j%4
local bi,bh=j%16>=bs,j%32>=bm
if ap<9+2*E+(bi and 7 or 0)+(bh and 7 or 0)then
f=nil
else
if E>0 then c,f=Y(E==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=aZ and 0 or c
if bi then g,f=Y("<I7",z,f)end
if bh then r,f=Y("<I7",z,f)end
end
end
else
f=nil
end
if i==b.kind and i<ae and f==#z-5 then f=#z+1 end
if f then u=(#z+1-f)/eA end
J=f and(u==0 or j<ds and i~=b.kind and u%1==0 and u<=cT)
if J and u>0 then
cs[a]=bQ(z,f)
k={Y(cL(cV,u),cs[a])}
k[#k]=nil
for l=2,#k,ad do ai=ai+k[l]end
end
else
J=false
end
if e>h or b.rate==0 or i>=cx then J=false end
if not J then break end
local as=cv+cw*(a-1)
p[as+1],p[as+2]=c,h-e
if r or g~=c then
t=t or{}
local B=#t
t[B+1],t[B+2],t[B+3],t[B+4]=a,c-g,r or 0,0
end
if i~=b.kind then
local B=#W+1
W[B]=k and#k/ad or 0
for l=1,k and#k or 0 do W[B+l]=k[l]end
end
if k and i==bu then
local am=ai*b.ticks_per_unit
local l,aS=1,G(h,e)
while l<#k and k[l]<=aS do
local q=k[l]
if q>e then
c,e=G(am,c-(q-e)*b.refill_per_ms),q
end
am,l=am-k[l+1]*b.ticks_per_unit,l+ad
end
if h>e then c,e=G(am,c-(h-e)*b.refill_per_ms),h end
g,dp[a]=Z(g,c-am),c
else
local y,at
if i<ae then
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
y,at=c,b.ticks_per_unit
elseif i==ae then
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
y,at=c,1
else
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
r=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if r then y=y+r*(b.period-G(0,h-e))end
at=1
end
dp[a]=y
end
while k and k[1]and k[1]<=h do
ai,cs[a]=ai-k[2],nil
for U=1,ad do bo(k,1)end
end
L[a],be[a],bF[a],bd[a],bL[a]=b,c,e,g,r
dm[a],de[a]=k,ai
end
if M and J and(#M>aP or aa("EXISTS",unpack(M))>0)then J=false end
if J then
local f,B=1,N and#N or au
while f<=B do
local a,u,cp,w,bH,ag,bK=N and N[f]or f,1,0,0,0,0,0
f=f+1
if a==ce then
a,u,cp,w,bH,ag,bK=unpack(N,f,f+6)
f=f+7
end
local b,k,ai=L[a],dm[a],de[a]
local c,y,g=be[a],dp[a],bd[a]
local at,ct=b.unit,b.ticks_per_unit
if ag+bK>0 then
k,aQ[a]=k or{},true
local bD,bP=0,0
for cM=1,ag+bK do
local eh,m,l=N[f],N[f+1],ad
while k[l]and k[l]~=eh do l=l+ad end
if k[l]then
local r=k[l-1]
local cd=Z(r,m)
local aF=cM>ag and 0 or cd
k[l-1],ai,bP=aF,ai-r+aF,bP+r-cd
if cM>ag then bD=bD+cd end
for U=1,aF==0 and ad or 0 do bo(k,l-2)end
end
f=f+2
end
c,y,g=c-bD*at,y-bD*ct,g+bP*at
if bD+bP>0 then cs[a]=nil end
end
local ab=cp==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if y+G(1,u)*ct<=ab then
c,y,g=c+u*at,y+u*ct,g+u*at
aQ[a],H=true,H+1
if bH>0 and b.share then
local bW=h+b.share
if b.base~=bu then bW=Z(bW,bF[a]+b.period)end
k=k or{}
local m=0
if bH>0 and#k<ad*cT then
local dP=ac(b.capacity_ticks/b.ticks_per_unit/2)
m=Z(bH,al(ac((b.capacity_ticks-y)/b.ticks_per_unit)/2),dP-ai)
end
if m>0 then
local P,q=m,G(bW,k[#k-2]or bW)
for l=#k,ad,-ad do
if k[l]==w then
P=P+k[l-1]
for U=1,ad do bo(k,l-2)end
end
end
local B=#k
k[B+1],k[B+2],k[B+3]=q,P,w
ai=ai+m
else
m=0
end
if m>0 then cs[a]=nil end
c,y,H=c+m*at,y+m*ct,H+m
end
end
be[a],dp[a],bd[a],dm[a],de[a]=c,y,g,k,ai
end
for a=1,au do
if aQ[a]and not Q then
local b,c,e,g,r=L[a],be[a],bF[a],bd[a],bL[a]
local O,i,j,v,s=b.definition,b.base,0,nil,nil
local k,aI=dm[a],nil
local eV=k and k[1]
if eV and i==bu then
local am=de[a]*b.ticks_per_unit
local bC,q=c,e
for l=1,#k,ad do
if k[l]>e then
bC=G(am,bC-(k[l]-q)*b.refill_per_ms)
q,am=k[l],am-k[l+1]*b.ticks_per_unit
end
end
v=bC<=0 and 0 or q+al(bC/b.refill_per_ms)-h
else
if i<ae then
v=c==0 and 0 or e-h+al(c/b.refill_per_ms)
elseif i==ae then
v=c==0 and 0 or e+al(c/b.rate)*b.period-h
else
v=c>0 and e+2*b.period-h or r and e+b.period-h or 0
end
end
local aK,ah
if v<=0 then
aK=bR("DEL",KEYS[a])
else
if c<16777216 and g==c and not r then
if aI then s=I("<c0Bi6I3i6",O,j,e,c,aI)
else s=I("<c0Bi6I3",O,j,e,c)
end
else
local av,t="<c0Bi6I3",""
if c>=1099511627776 then av,j="<c0Bi6I7",j+2
elseif c>=16777216 then av,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+aZ
elseif g~=c then j,t=j+bs,I("<I7",g)
end
if r then j,t=j+bm,t..I("<I7",r)end
s=I(av,O,j,e,c)..t
end
ah=bX("%d",(v<aw and v or aw)+aW)
if eV then
s=s..(cs[a]or I(cL(cV,#k/ad),unpack(k)))
end
aK=bR("PSETEX",KEYS[a],ah,s)
end
if type(aK)=="table"then Q=aK.err end
end
end
if Q then
local s=type(Q)=="table"and Q.err or Q
H=nil
for l,bz in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(s,bz,1,true)then H=-l end
end
local aT=aC(s,"READONLY ",1,true)
if aT then return{err=string.sub(s,aT)}end
if not H then error(Q,0)end
end
p[cu],p[#p+1]=H,t and#t/cU or 0
for f=1,t and#t or 0 do p[#p+1]=t[f]end
for f=1,#W do p[#p+1]=W[f]end
return p
end
elseif bp.logs then
local bI,aL,fA,bt="<i6I7",13,416,9007199254740992
local bQ=string.sub
local J,M,p,H,t,X,Q=true,nil,{h,0},0,{},{},nil
local D,dM={},{}
for a=1,au do
local b,z=bb[aX and aX[a]or 1],bG[a]
local O,c,e,g,r,S,B,R=b.definition,0,h,0,nil,"",h,0
local u=#X+1
X[u]=0
if z then
if aC(z,O,1,true)==1 then
local f=#O+1
local ap,j=#z-f,nil
if ap>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local E=j%4
local bi,bh=j%16>=bs,j%32>=bm
if ap<9+2*E+(bi and 7 or 0)+(bh and 7 or 0)then
f=nil
else
if E>0 then c,f=Y(E==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=aZ and 0 or c
if bi then g,f=Y("<I7",z,f)end
if bh then r,f=Y("<I7",z,f)end
end
end
else
f=nil
end
local eQ=f and#z+1-f or 0
J=f and j<bm and eQ>0 and eQ%aL==0
if J then
local F,bk,q,bn=f,h-b.period,nil,nil
B,R=Y(bI,z,#z-aL+1)
local ch=R-c
if ch<0 then ch=ch+bt end
q,bn=Y(bI,z,F)
while q<=bk and F<#z do
ch,F=bn,F+aL
if F<#z then q,bn=Y(bI,z,F)end
end
c=R-ch
if c<0 then c=c+bt end
if g>c then g=c end
S=bQ(z,F)
if c>0 then
local m=bn-ch
if m<0 then m=m+bt end
X[u+1],X[u+2]=q,m
if m<c then X[u+3],X[u+4]=B,c-m end
X[u]=(u-#X)/2
elseif S~=""then
J=false
end
end
else
J=false
end
else
M=M or{}
M[#M+1]=KEYS[a]
end
local eU=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or eU and#S>fA-aL then J=false end
if not J then break end
local f=cv+cw*(a-1)
p[f+1],p[f+2]=c,h-e
if g~=c then
local f=#t
t[f+1],t[f+2],t[f+3],t[f+4]=a,c-g,0,0
end
if eU then
local j,aI,v,ah,s=0,nil,b.period,nil,nil
if S==""then R=1
else
R=R>=bt-1 and R-(bt-1)or R+1
if B==h then S=bQ(S,1,-aL-1)end
end
c,g,e,H=c+1,g+1,h,H+1
if c<16777216 and g==c and not r then
if aI then s=I("<c0Bi6I3i6",O,j,e,c,aI)
else s=I("<c0Bi6I3",O,j,e,c)
end
else
local av,t="<c0Bi6I3",""
if c>=1099511627776 then av,j="<c0Bi6I7",j+2
elseif c>=16777216 then av,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+aZ
elseif g~=c then j,t=j+bs,I("<I7",g)
end
if r then j,t=j+bm,t..I("<I7",r)end
s=I(av,O,j,e,c)..t
end
D[a]=s..S..I(bI,h,R)
if not dM[b]then
ah=bX("%d",(v<aw and v or aw)+aW)
dM[b]=ah
end
end
end
if M and J and(#M>aP or aa("EXISTS",unpack(M))>0)then J=false end
if J then
for a=1,au do
if D[a]then
local aK=bR("PSETEX",KEYS[a],dM[bb[aX and aX[a]or 1]],D[a])
Q=Q or aK.err
end
end
if Q then
local s=type(Q)=="table"and Q.err or Q
H=nil
for l,bz in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(s,bz,1,true)then H=-l end
end
local aT=aC(s,"READONLY ",1,true)
if aT then return{err=string.sub(s,aT)}end
if not H then error(Q,0)end
end
p[cu],p[#p+1]=H,#t/cU
for f=1,#t do p[#p+1]=t[f]end
for f=1,#X do p[#p+1]=X[f]end
return p
end
elseif bp.leases then
local bq,cS=17,16
local fz=10
local bQ=string.sub
local J,M,p,H,t,X,Q=true,nil,{h,0},0,{},{},nil
local D,bN,f={},{},1
for a=1,au do
local b,z=bb[aX and aX[a]or 1],bG[a]
local c,e,F=0,h,1
if z then
local ap,bB,j=b.bytes,nil,nil
local dV=#z-ap
J=dV>0 and dV<=cS*bq and dV%bq==0
if J then
bB,j,e,c,F=Y(b.numbers,z)
J=bB==b.definition and j==aZ and e<=h
local q,m=Y("<i6I4",z,F)
while q and q<=h do
c,F,q=c-m,F+bq,nil
if F<#z then q,m=Y("<i6I4",z,F)end
end
end
else
M=M or{}
M[#M+1],z=KEYS[a],""
end
if not J then break end
local as=cv+cw*(a-1)
p[as+1],p[as+2]=c,h-e
if c>0 then
local B=#t
t[B+1],t[B+2],t[B+3],t[B+4]=a,c,0,0
end
local S,aV,u,w=bQ(z,F),e+b.period,N[f+3],nil
local cO,ca,fm,dk,ag=nil,0,-1,0,nil
if N[f]==cX then
w=N[f+6]
local ab=b.capacity_ticks-G(1,u)-N[f+5]
if c<=ab then
H=H+1
if u>0 then
dk,ag=u,c+u
J=#S<cS*bq and ag<16777216 and not aC(S,I("<I7",w),1,true)
end
elseif ab>=0 then
local as,cr=1,c-ab
while as<#S do
local q,m=Y("<i6I4",S,as)
if cr<=0 and q>cO then break end
cO,ca,cr,as=q,ca+m,cr-m,as+bq
end
end
f=f+2+cQ
else
w,ag=N[f+2],c
local as=aC(S,I("<I7",w),1,true)
if as then
as=as-fz
J=as%bq==1
if J then cO,ca,fm=Y("<i6I4I7",S,as)end
if J and ca==u then
S=bQ(S,1,as-1)..bQ(S,as+bq)
if N[f]==ez then dk=u else ag=c-u end
end
end
f=f+4
end
local cm,B=0,#X
X[B+1]=0
if cO then
X[B+2],X[B+3],X[B+4],cm=cO,ca,fm,1
end
if c>ca then
B=#X
X[B+1],X[B+2],X[B+3]=aV,c-ca,-1-cm
cm=cm+1
end
X[#X-3*cm]=cm
if ag then
local v,ah=nil,nil
if dk>0 then
v=b.period
D[a]=I("<c0Bi6I3c0i6I4I7",b.definition,aZ,h,ag,S,h+v,dk,w)
elseif ag==0 then
D[a]=""
else
D[a]=I("<c0Bi6I3c0",b.definition,aZ,e,ag,S)
if aW>0 then v=aV-h end
end
if v then
ah=bX("%d",(v<aw and v or aw)+aW)
bN[a]=ah
end
end
if not J then break end
end
if M and J and(#M>aP or aa("EXISTS",unpack(M))>0)then J=false end
if J then
for a=1,au do
local s=not Q and D[a]
if s then
local aK
if s==""then aK=bR("DEL",KEYS[a])
elseif bN[a]then aK=bR("PSETEX",KEYS[a],bN[a],s)
else aK=bR("SET",KEYS[a],s,"KEEPTTL")
end
Q=type(aK)=="table"and aK.err
end
end
if Q then
local s=type(Q)=="table"and Q.err or Q
H=nil
for l,bz in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(s,bz,1,true)then H=-l end
end
local aT=aC(s,"READONLY ",1,true)
if aT then return{err=string.sub(s,aT)}end
if not H then error(Q,0)end
end
p[cu],p[#p+1]=H,#t/cU
for f=1,#t do p[#p+1]=t[f]end
for f=1,#X do p[#p+1]=X[f]end
return p
end
end
local L,c,e,g={},{},{},{}
local aj,ao,x,aE,bl={},{},{},{},{}
local dn,cA,cD,dQ={},{},{},{}
local aG,aQ={},{}
local bE,dN={},{}
local cq,ci,eP,fw,dG
local cG,cH
local function bO(a)
aG[a],c[a],e[a],g[a]=true,-1,h,0
end
local function fQ(a,j,f)
local z=bG[a]
if dB(j,ds)~=0 then ao[a],f=Y(es,z,f)end
if dB(j,eu)~=0 then dn[a],f=Y(ex,z,f)end
if dB(j,et)~=0 then
cA[a]={Y(cP,z,f)}
f=cA[a][4]
end
cD[a]=string.sub(z,f)
end
local bx,bv,bw=c,e,g
local function eM(a,gn)
local z,f,c,e,g,r=bG[a],gn+1,nil,nil,nil,nil
local ap,j=#z-f,nil
if ap>=9 then
j,e,c=Y("<Bi6I3",z,f)
g,f=c,f+10
if j>0 then
local E=j%4
local bi,bh=j%16>=bs,j%32>=bm
if ap<9+2*E+(bi and 7 or 0)+(bh and 7 or 0)then
f=nil
else
if E>0 then c,f=Y(E==1 and"<I5"or"<I7",z,f-3)end
g=j%16>=aZ and 0 or c
if bi then g,f=Y("<I7",z,f)end
if bh then r,f=Y("<I7",z,f)end
end
end
else
f=nil
end
if not f then return false end
bx[a],bv[a],bw[a],aj[a]=c,e,g,r
return f>#z or pcall(fQ,a,j,f)
end
local M,aD,aO={},nil,{}
for U,b in ipairs(bb)do aO[b.kind]=true end
for a=1,au do
local b,z=bb[aX and aX[a]or 1],bG[a]
L[a]=b
if not z then
M[#M+1]=a
else
local gh=aC(z,b.definition,1,true)==1 and eM(a,#b.definition)
if not gh or dn[a]or e[a]>h then
aD=aD or{}
aD[#aD+1]=a
end
end
end
local bJ,fv
if N then
bJ={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fv(f)
local ak,eD=N[f],N[f+1]
if ak>0 then return 1 end
if ak==ce then return 1+bJ[ce]+2*(N[f+6]+N[f+7])end
local gg=ak==cX or ak==dw
return 1+bJ[ak]+(gg and cQ*eD or ak==cY and eD or 0)
end
end
local aN={}
local function cy(a,i,by)
c[a]=c[a]+by
if i.record and by~=0 then i.record(a,by)end
end
local function fM(a,b,u)
local i,fr=b.algorithm,u*b.counts_per_unit
i.advance(a,b)
cy(a,i,fr)
g[a]=g[a]+fr
end
local function gJ(a,b,fk,gy)
local i,dL=b.algorithm,gy-fk
i.advance(a,b)
local ab=(i.most_counts and i.most_counts(b)or aw)-c[a]-(aj[a]or 0)
local gl=i.queues and 0 or-g[a]
cy(a,i,G(gl,Z(dL*b.counts_per_unit,G(0,ab))))
g[a]=Z(G(0,g[a]-fk*b.counts_per_unit),c[a])
if dL>0 and aE[a]then cq(a,b,dL,br)end
end
local function fK(a,b,y,cK,f)
local i,fs=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
c[a],e[a],aj[a]=0,i.is_aligned and f-(f-(bT and bT[a]or 0))%b.period or f,nil
cy(a,i,al(y/fs))
g[a]=ac(cK/fs)
end
local function gj(a,b,C)
local i=b.algorithm
if not i.has_history or b.period~=C.period then return false end
local function fo(O)return string.match(O,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return fo(b.definition)==fo(C.definition)and i.used(a,b)<=b.capacity_ticks
end
local function aY(i)
i.charge,i.settle,i.begin,i.keep=fM,gJ,fK,gj
return i
end
local function eE(b)
b.algorithm=aN[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local dX=aO[dv]or aO[dt]or aO[du]
if dX then aO[bu],aO[ae],aO[bS]=true,true,true end
if aD or aO[bu]then
local aB={is_reservable=true}
local function dO(aA,o)
while o~=0 do aA,o=o,aA%o end
return aA
end
function aB.define(b)
local cN=dO(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cN,b.rate/cN
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
local bx,bv,bw=c,e,g
function aB.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bx[a],bv[a],bw[a]=c,e,g
end
function aB.reset_after(a,b)
local c,e,g,v=c[a],e[a],0,nil
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
v=c==0 and 0 or e-h+al(c/b.refill_per_ms)
return v
end
aN[bu]=aY(aB)
end
if aD or aO[ae]then
local aJ={is_aligned=true,is_reservable=true}
function aJ.used(a,b)
local c,e,g=c[a],e[a],0
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local bx,bv,bw=c,e,g
function aJ.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
bx[a],bv[a],bw[a]=c,e,g
end
function aJ.reset_after(a,b)
local c,e,g,v=c[a],e[a],0,nil
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
c,e=c-T*b.rate,e+T*b.period
if c<0 then c=0 end
if g>c then g=c end
end
v=c==0 and 0 or e+al(c/b.rate)*b.period-h
return v
end
function aJ.most_counts(b)
return b.rate==0 and aw or Z(aw,ac(aw/b.period)*b.rate)
end
aN[ae]=aY(aJ)
end
if aD or aO[bS]then
local aJ={is_aligned=true,has_history=true,counts_units=true}
function aJ.define(b)
b.ticks_per_unit=b.period
end
function aJ.used(a,b)
local c,e,g,r,y=c[a],e[a],0,aj[a],nil
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
r=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
y=c*b.period
if r then y=y+r*(b.period-G(0,h-e))end
return y
end
local bx,bv,bw=c,e,g
function aJ.advance(a,b)
local c,e,g,r=c[a],e[a],g[a],aj[a]
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
r=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
bx[a],bv[a],bw[a],aj[a]=c,e,g,r
end
function aJ.reset_after(a,b)
local c,e,g,r,v=c[a],e[a],0,aj[a],nil
local A=h-e
if A>=b.period then
local T=ac(A/b.period)
r=T==1 and c>0 and c or nil
c,e,g=0,e+T*b.period,0
end
v=c>0 and e+2*b.period-h or r and e+b.period-h or 0
return v
end
function aJ.most_counts(b)
return ac(aw/b.period)
end
aN[bS]=aY(aJ)
end
if aD or aO[cx]then
function cG(a,b)
return(string.gsub(KEYS[dQ[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cB(aM,af)
local D=redis.pcall(aM,af,0,0)
if not D.err then return D end
if not aC(D.err,"WRONGTYPE",1,true)then error(D.err)end
end
function cH(af,aM,ap)
local D=cB(aM,af)
if not D then return false end
if D[1]and#D[1]~=ap then return false end
if D[1]then aa("UNLINK",af)end
return true
end
local function dT(a,d,aM,ap)
local D=cB(aM,d.key)
if not D or D[1]and#D[1]~=ap then return bO(a)end
return D[1]~=nil
end
local function cj(aM,af,bU)
for F=1,#bU,aP do
aa(aM,af,unpack(bU,F,Z(F+aP-1,#bU)))
end
end
local function aS(a)
return G(e[a],h)
end
local function em(ej)
local aU={}
for af in pairs(ej)do aU[#aU+1]=af end
table.sort(aU)
return aU
end
local bI,aL,bt="<i6I7",13,9007199254740992
local bg=32
local cf=bg*aL
local dy=1024
local ay={has_history=true,keeps_list=true}
local function gt(R,m)
return R>=bt-m and R-(bt-m)or R+m
end
local function bY(R,dK)
return R<dK and R-dK+bt or R-dK
end
local function fg(d,ec)
local s=d.read[ec]
if not s then
s=aa("LINDEX",d.key,ec-1)
d.read[ec]=s
end
return s
end
local function bM(d,an)
local s,ea=d.tail,(an-d.pages*bg-1)*aL
if ea<0 then s,ea=fg(d,al(an/bg)),(an-1)%bg*aL end
local q,R=Y(bI,s,ea+1)
return q-d.shift,R
end
local function cb(d,an)
if an==d.head then return d.base end
local U,R=bM(d,an)
return R
end
local function fa(d,q)
local aH,aR=d.head,d.length
if aH==aR or bM(d,aH+1)>q then return aH end
while aH<aR do
local bj=al((aH+aR)/2)
if bM(d,bj)<=q then aH=bj else aR=bj-1 end
end
return aH
end
local function eZ(d,m)
local aH,aR=d.head,d.length
while aH<aR do
local bj=al((aH+aR)/2)
if bY(d.sum,cb(d,bj))>=m then aH=bj else aR=bj-1 end
end
return aH
end
local function ek(d,S)
d.tail,d.length=S,d.pages*bg+#S/aL
d.sum=d.length>d.head and select(2,bM(d,d.length))or d.base
end
local function eB(d,q,R)
d.tail=d.tail..I(bI,q+d.shift,R)
d.length,d.sum=d.length+1,R
end
function ay.open(a,b)
local af=cG(a,b)
local dR=x[a]and x[a].key==af and x[a].is_apart
x[a]={
key=af,is_apart=dR,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return x[a]
end
function ay.load(a,b)
local d,ax,S=ay.open(a,b),cA[a],cD[a]or""
if#S%aL~=0 then return bO(a)end
if ax then
d.pages,d.head,d.shift=ax[1],ax[2],ax[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not dT(a,d,"LRANGE",cf)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
S=I(bI,e[a]+d.shift,c[a])
end
ek(d,S)
d.base=bY(d.sum,c[a])
end
local function dc(a,b)
local d,bk=x[a],aS(a)-b.period
if d.over~=bk then d.over,d.last_over=bk,fa(d,bk)end
return d.last_over
end
function ay.used(a,b)
local d=x[a]
return bY(d.sum,cb(d,dc(a,b)))
end
function ay.advance(a,b)
local d,bk=x[a],dc(a,b)
d.base=cb(d,bk)
d.head=bk
c[a]=bY(d.sum,d.base)
g[a]=Z(g[a],c[a])
end
function ay.reset_after(a,b)
local d=x[a]
if d.length==d.head then return 0 end
return G(0,bM(d,d.length)+b.period-h)
end
local function gu(a,m)
local d,q=x[a],aS(a)
local R=gt(d.sum,m)
if d.length==d.head then d.base,R=0,m end
if d.length>d.head and bM(d,d.length)==q then
d.tail,d.length=string.sub(d.tail,1,-aL-1),d.length-1
end
eB(d,q,R)
e[a]=q
end
local function gQ(d,an)
if an<=d.pages*bg then
local eq=G(0,al(an/bg)-1)
local S=an>0 and string.sub(fg(d,eq+1),1,(an-eq*bg)*aL)or""
d.pages=eq
return ek(d,S)
end
ek(d,string.sub(d.tail,1,(an-d.pages*bg)*aL))
end
local function gO(a,m)
local d=x[a]
local B,R=eZ(d,m),bY(d.sum,m)
d.cuts[B],d.cuts[B+1]=true,true
local q=B<d.length and R~=cb(d,B)and bM(d,B+1)
gQ(d,B)
if q then eB(d,q,R)end
end
function ay.record(a,by)
if by>0 then gu(a,by)else gO(a,-by)end
end
function ay.note(a,b,ab)
local d=x[a]
if ao[a]and ao[a]>h then d.cuts[fa(d,G(e[a],ao[a])-b.period)]=true end
if ab>=0 and ay.used(a,b)>ab then d.cuts[eZ(d,ab+1)+1]=true end
end
function ay.note_each(a,b,m)
local d,an=x[a],dc(a,b)
local r,ab=cb(d,an),ay.used(a,b)+m-b.capacity_ticks
while an<d.length and bY(cb(d,an),r)<ab do
an=an+1
d.cuts[an]=true
end
bE[a].is_whole=an==d.length
if not bE[a].is_whole then ay.note(a,b,-1)end
end
function ay.see(a,b)
local d,bk=x[a],dc(a,b)
bE[a]={
key=d.key,pages=d.pages,head=bk,base=cb(d,bk),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function ay.show(a,p)
local W,u=bE[a],#p+1
local R,X=W.base,0
if W.length>W.head then W.cuts[W.head+1],W.cuts[W.length]=true,true end
p[u]=0
for U,an in ipairs(em(W.cuts))do
if an>W.head and an<=W.length then
local q,bn=bM(W,an)
p[#p+1],p[#p+2]=q,bY(bn,R)
R,X=bn,X+1
end
end
p[u]=W.is_whole and X or-X
end
function ay.divide(a)
local d=x[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=Z(ac(d.head/bg),d.pages,dy)
d.kept=d.pages-d.dropped
local bB,S,dj=d.head-d.dropped*bg,d.tail,{}
if d.kept==0 then bB,S=0,string.sub(S,bB*aL+1)end
local dS=nil
while#S>cf do
if dS==nil then dS=d.is_apart or cH(d.key,"LRANGE",cf)end
if not dS then break end
dj[#dj+1],S=string.sub(S,1,cf),string.sub(S,cf+1)
end
d.pushed=dj
local fh=d.kept+#dj
return(fh>0 or d.shift~=0)and I(cP,fh,bB,d.shift)or"",S
end
function ay.write(a,ah)
local d=x[a]
if d.is_apart and d.kept==0 then aa("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
aa("LTRIM",d.key,d.dropped,d.pages-1)
end
cj("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then aa("PEXPIRE",d.key,ah)end
end
function ay.rewind(a,az)
x[a].shift,x[a].over=x[a].shift+az,nil
end
aN[cx]=aY(ay)
local gI=ay.keep
function ay.keep(a,b,C)
if not gI(a,b,C)then return false end
dG(a,b,"LRANGE",cf)
return true
end
end
if aD or aO[ev]then
local aB={is_reservable=true}
local function dO(aA,o)
while o~=0 do aA,o=o,aA%o end
return aA
end
function aB.define(b)
local cN=dO(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cN,b.rate/cN
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
local bx,bv,bw=c,e,g
function aB.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
bx[a],bv[a],bw[a]=c,e,g
end
function aB.reset_after(a,b)
local c,e,g,v=c[a],e[a],0,nil
local A=h-e
if A>0 then
c,e=c-A*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
v=c==0 and 0 or e-h+al(c/b.refill_per_ms)
return v
end
aB.queues=true
aN[ev]=aY(aB)
end
if aD or aO[dr]then
function cG(a,b)
return(string.gsub(KEYS[dQ[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cB(aM,af)
local D=redis.pcall(aM,af,0,0)
if not D.err then return D end
if not aC(D.err,"WRONGTYPE",1,true)then error(D.err)end
end
function cH(af,aM,ap)
local D=cB(aM,af)
if not D then return false end
if D[1]and#D[1]~=ap then return false end
if D[1]then aa("UNLINK",af)end
return true
end
local function dT(a,d,aM,ap)
local D=cB(aM,d.key)
if not D or D[1]and#D[1]~=ap then return bO(a)end
return D[1]~=nil
end
local function cj(aM,af,bU)
for F=1,#bU,aP do
aa(aM,af,unpack(bU,F,Z(F+aP-1,#bU)))
end
end
local function aS(a)
return G(e[a],h)
end
local function em(ej)
local aU={}
for af in pairs(ej)do aU[#aU+1]=af end
table.sort(aU)
return aU
end
local cR,dx,cW="<I7B",8,35184372088832
local dy=128
local function bZ(E,q)
return bX("%.0f",(E-1)*cW+q)
end
local function dJ(m,ep)
local E=1
while m>0 do
if m%2==1 then ep(E)end
m,E=ac(m/2),E+1
end
end
local function fN(d,q)
local m,fJ=0,G(0,d.floor+d.shift+1)
for E=1,d.sizes do
local ba=aa("ZCOUNT",d.key,bZ(E,fJ),bZ(E,q+d.shift))
m=m+2^(E-1)*ba
end
return m
end
local function gx(d,w)
local ba={}
for E=1,d.sizes do ba[E]=I(cR,w,E)end
local n={units=0,id=w}
for E,s in ipairs(#ba>0 and aa("ZMSCORE",d.key,unpack(ba))or{})do
if s then
n.units=n.units+2^(E-1)
n.instant=tonumber(s)-(E-1)*cW-d.shift
end
end
return n.units>0 and n or nil
end
local function gK(d,aV)
for E=1,d.sizes do
local F,B,bc=bZ(E,aV+d.shift),bZ(E+1,-1),{}
for U,gp in ipairs(aa("ZRANGEBYSCORE",d.key,"("..F,B))do
bc[#bc+1],bc[#bc+2]=F,gp
end
cj("ZADD",d.key,bc)
end
end
local function gw(d)
local dD,P,D={},{},aa("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#D,2 do
local w,E=Y(cR,D[f])
local n=dD[w]or{units=0,id=w}
n.instant=tonumber(D[f+1])-(E-1)*cW-d.shift
n.units=n.units+2^(E-1)
if not dD[w]then dD[w],P[#P+1]=n,n end
end
return P
end
local function gT(d,gA,cz)
local ba,bc={},{}
for w,n in pairs(gA)do
dJ(n.units,function(E)ba[#ba+1]=I(cR,w,E)end)
end
for U,n in pairs(cz)do
dJ(n.units,function(E)
bc[#bc+1],bc[#bc+2]=bZ(E,n.instant+d.shift),I(cR,n.id,E)
end)
end
cj("ZREM",d.key,ba)
cj("ZADD",d.key,bc)
return#bc/2
end
local function fV(d,cz)
local ag=dy+cz
for E=1,d.sizes do
local F,B=bZ(E,0),bZ(E,G(-1,d.floor+d.shift))
local ba=ag>0 and aa("ZRANGEBYSCORE",d.key,F,B,"LIMIT",0,ag)or{}
cj("ZREM",d.key,ba)
ag=ag-#ba
end
end
local ew,bq="<i6I4I7",17
local fC=-cW
local cS=16
local V={holds_leases=true,keeps_list=true}
function V.open(a,b)
local af=cG(a,b)
local dR=x[a]and x[a].key==af and x[a].is_apart
x[a]={
key=af,is_apart=dR,shift=0,cuts={},kept={},sizes=0,floor=fC,
found={},removed={},added={},
}
return x[a]
end
function V.load(a,b)
local d,ax,s=V.open(a,b),cA[a],cD[a]or""
if#s%bq~=0 then return bO(a)end
local f=1
while f<=#s do
local n={}
n.instant,n.units,n.id,f=Y(ew,s,f)
d.kept[#d.kept+1]=n
end
if not ax then return end
d.sizes,d.floor,d.shift=ax[1],ax[2],ax[3]
d.is_apart,d.kept=true,nil
if dT(a,d,"ZRANGE",dx)or aG[a]then return end
V.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=br}
end
local function eK(d,q)
if q<=d.floor then return 0 end
if not d.kept then return fN(d,q)end
local m=0
for U,n in ipairs(d.kept)do
if n.instant>q then break end
if n.instant>d.floor then m=m+n.units end
end
return m
end
local function dH(P,d,q)
local m=0
for U,n in pairs(P)do
if n.instant>d.floor and n.instant<=q then m=m+n.units end
end
return m
end
local function eL(d,q)
return eK(d,q)-dH(d.removed,d,q)+dH(d.added,d,q)
end
local function fO(a)
local d,q=x[a],aS(a)
if q<=d.floor then return 0 end
if d.over~=q then d.over,d.units_over=q,eL(d,q)end
return d.units_over
end
function V.used(a)
return c[a]-fO(a)
end
function V.advance(a)
c[a]=V.used(a)
x[a].floor=G(x[a].floor,aS(a))
end
local function fY(d,w)
for U,n in ipairs(d.kept)do
if n.id==w then return n end
end
end
local function fZ(d,w)
if d.found[w]==nil then
d.found[w]=(d.kept and fY or gx)(d,w)or false
end
return d.found[w]or nil
end
local function eS(d,w)
local n=d.added[w]or not d.removed[w]and fZ(d,w)or nil
return n and n.instant>d.floor and n or nil
end
local function bo(d,w)
local n=eS(d,w)
if not n then return 0 end
if d.added[w]then d.added[w]=nil else d.removed[w]=n end
return n.units
end
local function cy(a,w,m,q)
local d=x[a]
local r=bo(d,w)
d.added[w]={instant=q,units=r+m,id=w}
end
function V.charge(a,b,m,w)
V.advance(a)
e[a]=aS(a)
cy(a,w,m,e[a]+b.period)
c[a]=c[a]+m
end
V.settle=V.advance
function V.reset_after(a,b)
return V.used(a)==0 and 0 or e[a]+b.period-h
end
function V.begin(a,b,y,U,f)
V.open(a,b)
c[a],e[a],aj[a],g[a]=0,f,nil,0
if y>0 then V.charge(a,b,y,br)end
end
local function eF(ar,az,aV)
local P={}
for l,n in ipairs(ar)do
P[l]={instant=Z(n.instant-az,aV),units=n.units,id=n.id}
end
return P
end
function V.keep(a,b,C)
dG(a,b,"ZRANGE",dx)
V.advance(a)
local d,aV=x[a],aS(a)+b.period
if d.kept then d.kept=eF(d.kept,0,aV)
elseif b.period<C.period and not aG[a]then gK(d,aV)
end
e[a]=aS(a)
return true
end
local function ff(P,az)
local fe={}
for w,n in pairs(P)do fe[w]={instant=n.instant-az,units=n.units,id=w}end
return fe
end
function V.rewind(a,az)
local d=x[a]
d.floor,d.over,d.found=d.floor-az,nil,{}
d.added,d.removed=ff(d.added,az),ff(d.removed,az)
if d.kept then d.kept=eF(d.kept,az,math.huge)else d.shift=d.shift+az end
end
local function ee(a,w,u)
V.advance(a)
local d=x[a]
local n=eS(d,w)
if not n or n.units~=u then return false end
c[a]=c[a]-bo(d,w)
return true
end
local function fj(a,b,w,u)
local cE=ee(a,w,u)
if cE then V.charge(a,b,u,w)end
return cE
end
local function eO(a,ep)
for U,o in ipairs(aE[a]or{})do
if L[o].algorithm==V then ep(o,L[o])end
end
end
function V.release(a,U,w,u)
eO(a,function(o)ee(o,w,u)end)
ee(a,w,u)
end
function V.renew(a,b,w,u)
if not fj(a,b,w,u)then return end
eO(a,function(o,eX)
if not fj(o,eX,w,u)then V.charge(o,eX,u,w)end
end)
end
local function fX(a,b,m)
local d,aH,aR=x[a],aS(a),e[a]+b.period
for U,n in ipairs(d.kept or{})do
local cE=n.instant>d.floor and not d.removed[n.id]
if cE then m=m-n.units end
if cE and m<=0 then return n.instant end
end
if d.kept then return aR end
while aH+1<aR do
local bj=ac((aH+aR)/2)
if eL(d,bj)>=m then aR=bj else aH=bj end
end
return aR
end
function V.note(a,b,ab)
local d=x[a]
if ao[a]and ao[a]>h then d.cuts[G(e[a],ao[a])]=true end
if ab>=0 and V.used(a)>ab then d.cuts[fX(a,b,c[a]-ab)]=true end
end
function V.note_each(a)
bE[a].is_whole=true
end
function V.see(a,b)
local d=x[a]
bE[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=G(d.floor,aS(a)),
used=V.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function gr(W)
local fn,P=W.found,{}
if W.is_whole then fn=W.kept or gw(W)end
for U,n in pairs(fn)do
if n and n.instant>W.floor then P[#P+1]=n end
end
table.sort(P,function(aA,o)return aA.instant<o.instant end)
return P
end
function V.show(a,p)
local W,u,X,R,cJ=bE[a],#p+1,0,0,1
local dW=gr(W)
local function fl(q,m,w)
p[#p+1],p[#p+2],p[#p+3]=q,m,w
X=X+1
end
p[u],W.cuts[W.latest]=0,true
for U,ck in ipairs(em(W.cuts))do
if ck>W.floor and ck<=W.latest then
local bn=ck==W.latest and W.used or eK(W,ck)
local K=bn-R
while dW[cJ]and dW[cJ].instant<=ck do
local n=dW[cJ]
fl(n.instant,n.units,n.id)
K,cJ=K-n.units,cJ+1
end
if K>0 then fl(ck,K,-1-X)end
R=bn
end
end
p[u]=X
end
local function am(d)
local P={}
for U,n in ipairs(d.kept)do
if n.instant>d.floor and not d.removed[n.id]then P[#P+1]=n end
end
for U,n in pairs(d.added)do P[#P+1]=n end
return P
end
function V.divide(a)
local d,D=x[a],{}
if not d.kept and c[a]==dH(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local P=am(d)
if#P<=cS or not(d.is_apart or cH(d.key,"ZRANGE",dx))then
for l,n in ipairs(P)do D[l]=I(ew,n.instant,n.units,n.id)end
return"",table.concat(D)
end
d.moved=P
end
for U,n in pairs(d.moved or d.added)do
dJ(n.units,function(E)d.sizes=G(d.sizes,E)end)
end
return I(cP,d.sizes,d.floor,d.shift),""
end
function V.write(a,ah)
local d=x[a]
if d.kept and d.is_apart then aa("UNLINK",d.key)end
if d.kept and not d.moved then return end
local cz=gT(d,d.removed,d.moved or d.added)
if not d.kept then fV(d,cz)end
aa("PEXPIRE",d.key,ah)
end
aN[dr]=V
end
if aD or dX then
local cL,bo=string.rep,table.remove
local gR,gL=c,e
local function di(a)
return G(e[a],h)
end
local function dg(a,az)
local k={unpack(x[a].shares)}
for l=1,#k,ad do k[l]=k[l]-az end
x[a]={shares=k}
return k
end
local function eN(a)
local k,q=x[a].shares,di(a)
if not k[1]or k[1]>q then return end
k=dg(a,0)
while k[1]and k[1]<=q do
for U=1,ad do bo(k,1)end
end
end
local function dq(a,q)
local k,m=x[a].shares,0
for l=1,#k,ad do
if k[l]>q then m=m+k[l+1]end
end
return m
end
local function cK(a)
x[a]={shares={}}
end
local function go(a)
local s=cD[a]or""
local u=#s/eA
if u%1~=0 or u>cT then return bO(a)end
local k={Y(cL(cV,u),s)}
k[#k]=nil
x[a]={shares=k}
end
local function fT(a)
local k=x[a].shares
return"",I(cL(cV,#k/ad),unpack(k))
end
local function gH(a)
bE[a]=x[a].shares
end
local function el(a,p)
local k,f=bE[a],#p+1
p[f]=#k/ad
for l=1,#k do p[f+l]=k[l]end
end
local function ga(a,b)
if dq(a,di(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],aj[a],g[a]=dq(a,0)*b.counts_per_unit,nil,0
return true
end
local function ef(a,b,f,ag,bK)
b.algorithm.advance(a,b)
local k,ai=dg(a,0),0
local bD,bP=0,0
for cM=1,ag+bK do
local eh,m,l=N[f],N[f+1],ad
while k[l]and k[l]~=eh do l=l+ad end
if k[l]then
local r=k[l-1]
local cd=Z(r,m)
local aF=cM>ag and 0 or cd
k[l-1],ai,bP=aF,ai-r+aF,bP+r-cd
if cM>ag then bD=bD+cd end
for U=1,aF==0 and ad or 0 do bo(k,l-2)end
end
f=f+2
end
c[a]=c[a]-bD*b.counts_per_unit
g[a]=g[a]+bP*b.counts_per_unit
end
local function gm(a,b,w,bH)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local k,ai,y=dg(a,0),dq(a,0),i.used(a,b)
local bW=i.lent_until(a,b)
local m=0
if bH>0 and#k<ad*cT then
local dP=ac(b.capacity_ticks/b.ticks_per_unit/2)
m=Z(bH,al(ac((b.capacity_ticks-y)/b.ticks_per_unit)/2),dP-ai)
end
if m>0 then
local P,q=m,G(bW,k[#k-2]or bW)
for l=#k,ad,-ad do
if k[l]==w then
P=P+k[l-1]
for U=1,ad do bo(k,l-2)end
end
end
local B=#k
k[B+1],k[B+2],k[B+3]=q,P,w
ai=ai+m
else
m=0
end
c[a]=c[a]+m*b.counts_per_unit
return m
end
local function dY(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cK,go,fT,gH,el,dg
i.forget,i.report,i.lend=ga,ef,gm
return aY(i)
end
local aB={base=aN[bu],is_reservable=true,define=aN[bu].define}
local function dC(a,b)
local c,e,k=gR[a],gL[a],x[a].shares
local am=dq(a,0)*b.ticks_per_unit
local l,aS=1,G(h,e)
while l<#k and k[l]<=aS do
local q=k[l]
if q>e then
c,e=G(am,c-(q-e)*b.refill_per_ms),q
end
am,l=am-k[l+1]*b.ticks_per_unit,l+ad
end
if h>e then c,e=G(am,c-(h-e)*b.refill_per_ms),h end
return c,e,am
end
function aB.used(a,b)
return(dC(a,b))
end
function aB.advance(a,b)
local am
c[a],e[a],am=dC(a,b)
g[a]=Z(g[a],c[a]-am)
eN(a)
end
function aB.reset_after(a,b)
local k,v=x[a].shares,nil
local c,e,am=dC(a,b)
local bC,q=c,e
for l=1,#k,ad do
if k[l]>e then
bC=G(am,bC-(k[l]-q)*b.refill_per_ms)
q,am=k[l],am-k[l+1]*b.ticks_per_unit
end
end
v=bC<=0 and 0 or q+al(bC/b.refill_per_ms)-h
return v
end
function aB.lent_until(a,b)
return di(a)+b.share
end
local function fb(aJ)
local i=setmetatable({base=aJ},{__index=aJ})
function i.advance(a,b)
aJ.advance(a,b)
eN(a)
end
function i.lent_until(a,b)
return Z(di(a)+b.share,e[a]+b.period)
end
return i
end
aN[dv]=dY(aB)
aN[dt]=dY(fb(aN[ae]))
aN[du]=dY(fb(aN[bS]))
end
for U,b in ipairs(bb)do eE(b)end
local eY=aD or aO[cx]or aO[dr]or dX
for F=1,#M,aP do
local B,aU=Z(F+aP-1,#M),{}
for l=F,B do aU[#aU+1]=KEYS[M[l]]end
if aa("EXISTS",unpack(aU))>0 then
for l=F,B do
if aa("EXISTS",KEYS[M[l]])==1 then bO(M[l])end
end
end
end
for U,a in ipairs(M)do
if not aG[a]then L[a].algorithm.begin(a,L[a],0,0,h)end
end
if aD then
local fB=7
local function ed(O)
local er={}
for gS in string.gmatch(O or"","[^,\\n]+")do er[#er+1]=tonumber(gS,36)or false end
local i,aY,dh,dE,cZ=unpack(er)
local cg=aN[i]
if not(cg and aY and dh)then return nil end
dE=dE or aY
local b=fi(O,i,aY,dh,1,0,0,0)
if cg.define then cg.define(b)end
b.capacity_ticks=dE*b.ticks_per_unit
if cg.is_reservable and aY>0 then
local ab=(cg.most_counts and cg.most_counts(b)or aw)-b.capacity_ticks
b.debt_ticks=cZ and Z(cZ*b.ticks_per_unit,ab)or ab
end
eE(b)
return b
end
local dd=au
local function dZ(a)
dd=dd+1
dQ[dd]=a
return dd
end
local function fS(a,s)
aE[a]={}
for l,gM in ipairs(cmsgpack.unpack(s))do
local o,O,ax=dZ(a),nil,nil
O,c[o],e[o],g[o],aj[o],bl[o],ax,cD[o]=
unpack(gM)
if aj[o]==0 then aj[o]=nil end
local b=assert(ed(O))
L[o],aE[a][l]=b,o
if ax~=""then cA[o]={Y(cP,ax)}end
if b.algorithm.load then b.algorithm.load(o,b)end
assert(not aG[o])
end
end
function eP(a)
local P,aV={},h
for l,o in ipairs(aE[a])do
local b,ax,cC=L[o],"",""
aV=G(aV,bl[o])
if b.algorithm.divide then ax,cC=b.algorithm.divide(o)end
P[l]={
b.definition,c[o],e[o],g[o],aj[o]or 0,bl[o],ax,cC,
}
end
return cmsgpack.pack(P),aV-h
end
function fw(a,ah)
for U,o in ipairs(aE[a])do
local i=L[o].algorithm
if i.write then i.write(o,ah)end
end
end
local function fR(a)
local C=ed(string.match(bG[a],"^[^\\n]*\\n"))
if not C or not eM(a,#C.definition)then return nil end
if dn[a]and not pcall(fS,a,dn[a])then return nil end
return C
end
local function dF(y,C,b)
if C.ticks_per_unit==b.ticks_per_unit then return y end
local m=ac(y/C.ticks_per_unit)
local gC=(y-m*C.ticks_per_unit)/C.ticks_per_unit
return m*b.ticks_per_unit+Z(b.ticks_per_unit,al(gC*b.ticks_per_unit))
end
local function fd(y,C,b)
return b.capacity_ticks+Z(dF(G(0,y-C.capacity_ticks),C,b),b.debt_ticks)
end
local function gE(aA,o)
return(aA.base or aA)==(o.base or o)
end
local function gq(a,b,C)
local df,cI=C.algorithm,b.algorithm
if gE(df,cI)and cI.keep(a,b,C)then
if df.base or cI.base then x[a]=cI.base and{shares={}}or nil end
return
end
df.advance(a,C)
local y=df.used(a,C)
local ar=Z(dF(y,C,b),fd(y,C,b))
local cK=Z(ar,dF(g[a]*C.ticks_per_unit/C.counts_per_unit,C,b))
x[a]=nil
cI.begin(a,b,ar,cK,G(h,e[a]))
end
local function fc(b)
if b.rate==0 then return 2*b.period end
return b.period*G(2,al(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function eI(aA,o)
c[o],e[o],g[o],aj[o]=c[aA],e[aA],g[aA],aj[aA]
end
local function eJ(aA,bA)
for eR,z in pairs(aA)do
if bA[eR]==nil then bA[eR]=z end
end
return bA
end
function dG(a,b,gv,ap)
local d=x[a]
local bA=eJ(d,{key=cG(a,b),is_beside=false,cuts={},found={},removed={},added={}})
x[a]=bA
if not bA.is_apart or bA.key==d.key then return end
if not cH(bA.key,gv,ap)then return bO(a)end
aa(d.is_beside and"COPY"or"RENAME",d.key,bA.key)
end
local function eH(a,C,b)
local o=dZ(a)
L[o],x[o]=C,x[a]
if x[a]then
x[a].is_beside=true
x[a]=eJ(x[a],{})
end
eI(a,o)
bl[o]=Z(h+G(C.algorithm.reset_after(o,C),fc(C),fc(b)),aw)
return o
end
local function eg(a,b)
if e[a]-h<b.period then return 0 end
local ak=b.algorithm.is_aligned and b.period or 1
local az=ac((e[a]-h)/ak)*ak
e[a],ao[a]=e[a]-az,ao[a]and G(0,ao[a]-az)
if x[a]then b.algorithm.rewind(a,az)end
return az
end
local function dI(K)
local ar={}
for U,o in ipairs(K or{})do
bl[o]=bl[o]-eg(o,L[o])
if bl[o]>h then ar[#ar+1]=o end
end
return ar
end
local ey="1,0,eiz5s00,gjdgxs\\n"
local function eb(K)
for l,o in ipairs(K or{})do
if L[o].definition==ey then return o,l end
end
end
local function gs(a)
local aq=dZ(a)
L[aq]=ed(ey)
c[aq],e[aq],aj[aq],g[aq],bl[aq]=0,h,0,0,0
return aq
end
local function fI(a,C,K)
local aq,l=eb(K)
if aq then table.remove(K,l)else aq=gs(a)end
local y,cn=C.algorithm.used(a,C),C.ticks_per_unit
c[aq]=G(c[aq],al(y/cn))
aj[aq]=G(aj[aq]or 0,al((y-C.capacity_ticks)/cn))
bl[aq]=G(bl[aq],Z(h+C.algorithm.reset_after(a,C),aw))
K[#K+1]=aq
end
local function fP(a,b)
local aq=eb(aE[a])
if not aq then return end
local i,cn=b.algorithm,b.ticks_per_unit
local cZ=Z((aj[aq]or 0)*cn,b.debt_ticks)
local y=Z(c[aq]*cn,b.capacity_ticks+cZ)
local cr=y-i.used(a,b)
if cr<=0 then return end
if i.holds_leases then return i.charge(a,b,cr,h)end
i.advance(a,b)
i.begin(a,b,y,g[a]*cn/b.counts_per_unit,G(h,e[a]))
end
local function gP(a,b,C,K)
local U,aq=eb(K)
if C.algorithm.reset_after(a,C)>0 then
local ge=#K-(aq and 1 or 0)>=fB
if ge then fI(a,C,K)
else K[#K+1]=dI({eH(a,C,b)})[1]end
end
aE[a]=#K>0 and K or nil
gq(a,b,C)
fP(a,b)
end
local function gN(a,b,C,K,gk)
eg(a,C)
local o=table.remove(K,gk)
K[#K+1]=eH(a,C,b)
aE[a]=K
eI(o,a)
x[a]=x[o]
end
local function fL(a,b,C)
local K=dI(aE[a])
for l,o in ipairs(K)do
if L[o].definition==b.definition then return gN(a,b,C,K,l)end
end
gP(a,b,C,K)
end
function ci(a,b)
local gd=e[a]>h and c[a]==0 and(aj[a]or 0)==0 and(ao[a]or 0)<=h
if gd then b.algorithm.begin(a,b,0,0,h)end
end
local function gz(a,b)
local C=fR(a)
if not C then return bO(a)end
local eW=C.definition==b.definition
if eW and e[a]<=h then return end
if C.algorithm.load then C.algorithm.load(a,C)end
if aG[a]then return end
if not eW then fL(a,b,C)end
eg(a,b)
ci(a,b)
aQ[a]=true
end
function cq(a,b,u,n)
local K=dI(aE[a])
aE[a]=#K>0 and K or nil
local y=b.algorithm.used(a,b)
for U,o in ipairs(K)do
local cc,m=L[o],u
if n==br or not cc.algorithm.holds_leases then
local gD=fd(y,b,cc)-cc.algorithm.used(o,cc)
m=Z(u,ac(gD/cc.ticks_per_unit))
end
if m>0 then cc.algorithm.charge(o,cc,m,n~=br and n or h)end
end
end
for U,a in ipairs(aD)do gz(a,L[a])end
end
for a=1,eY and au or 0 do
local b=L[a]
if b.algorithm.load and not aG[a]then
if not x[a]then b.algorithm.load(a,b)end
if not aG[a]then b.algorithm.see(a,b)end
end
end
local p,dl={h,0},{}
for a=1,au do
local f=cv+cw*(a-1)
local cF,db=c[a],g[a]
if L[a].algorithm.note and not aG[a]then
cF=L[a].algorithm.used(a,L[a])
db=Z(db,cF)
end
p[f+1],p[f+2]=cF,h-e[a]
if db~=cF and not aG[a]then dl[a]=cF-db end
end
local dA=#p+1
p[dA]=0
if next(dl)or next(aj)or next(ao)then
for a=1,au do
if dl[a]or aj[a]or ao[a]then
local f=#p
p[dA]=p[dA]+1
p[f+1],p[f+2],p[f+3],p[f+4]=a,dl[a]or 0,aj[a]or 0,ao[a]or 0
end
end
end
local H=0
local function eT(a,b,y,ab)
local gc=ao[a]and ao[a]>h
return not gc and b.algorithm.used(a,b)+y<=ab
end
local function cl(a,b,y,ab)
if aD then ci(a,b)end
if aG[a]then return false end
if eT(a,b,y,ab)then return true end
local i=b.algorithm
if i.note then i.note(a,b,ab-y)end
return false
end
local function en(a,b,u,n)
b.algorithm.charge(a,b,u,n)
if aE[a]then cq(a,b,u,n)end
aQ[a]=true
end
local function fq(a)
local b=L[a]
if not cl(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
en(a,b,1,br)
H=H+1
end
if not N then
for a=1,au do fq(a)end
else
local function eC(f,bf)
if bf==1 then return N[f],1,0,0,br end
return unpack(N,f,f+bf-1)
end
local function eo(F,B,bf,gf)
local dz=not gf
for f=F,B,bf do
local a,u,cp,gb=eC(f,bf)
local b=L[a]
local ab=cp==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dz=cl(a,b,G(1,u)*b.ticks_per_unit+gb,ab)and dz
end
for f=F,dz and B or 0,bf do
local a,u,U,U,n=eC(f,bf)
if u>0 then en(a,L[a],u,n)end
H=H+1
end
end
local function el(a,m)
local i=L[a].algorithm
if i.note_each and not aG[a]then i.note_each(a,L[a],m)end
end
local function bV(a,b,i,az)
i.advance(a,b)
local aF=i.is_aligned or i.holds_leases and c[a]>0
if not aF then e[a]=G(e[a],h)end
ao[a]=G(e[a],h)+az
end
local function fp(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gB(a,b,i)
if ao[a]and ao[a]<=h then ao[a]=nil end
local ai={}
for U,o in ipairs(aE[a]or{})do
if bl[o]>h and fp(o,L[o])then ai[#ai+1]=o
else dN[#dN+1]=x[o]
end
end
aE[a]=#ai>0 and ai or nil
if not fp(a,b)then i.begin(a,b,0,0,h)end
end
local function by(ak,a,F,ei)
local b=L[a]
local i=b.algorithm
if aG[a]then return end
if aD then ci(a,b)end
if ak==fF then i.settle(a,b,F,ei)
elseif ak==fE then gB(a,b,i)
elseif ak==fy then bV(a,b,i,F)
elseif ak==fH then ao[a]=nil
elseif ak==fD and i.holds_leases then i.release(a,b,F,ei)
elseif ak==ez and i.holds_leases then i.renew(a,b,F,ei)
end
if aD then ci(a,b)end
aQ[a]=true
end
local function fU(f)
local a,u,cp,w,bH,ag,bK=unpack(N,f+1,f+bJ[ce])
local b=L[a]
local i=b.algorithm
if aG[a]then return end
if aD then ci(a,b)end
if ag+bK>0 then
local ef=i.report or i.advance
ef(a,b,f+1+bJ[ce],ag,bK)
aQ[a]=true
end
local ab=cp==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not eT(a,b,G(1,u)*b.ticks_per_unit,ab)then return end
if u>0 then en(a,b,u,br)end
local m=i.lend and i.lend(a,b,w,bH)or 0
if m>0 and aE[a]then cq(a,b,m,br)end
aQ[a],H=true,H+1+m
end
local f,B=1,#N
while f<=B do
local ak,bf=N[f],fv(f)
if ak>0 then fq(ak)
elseif ak==cX then eo(f+1+bJ[cX],f+bf-1,cQ)
elseif ak==cY then eo(f+1+bJ[cY],f+bf-1,1)
elseif ak==dw then eo(f+1+bJ[dw],f+bf-1,cQ,true)
elseif ak==ce then fU(f)
elseif ak==fG then el(N[f+1],N[f+2])
else by(ak,N[f+1],N[f+2],N[f+3])
end
f=f+bf
end
end
for a=1,eY and au or 0 do
local i=L[a].algorithm
if i.show and not aG[a]then i.show(a,p)end
end
local function fW(a,K)
local O,c,e,g=L[a].definition,c[a],e[a],g[a]
local r,bV,j,co,s,ax,cC=aj[a],ao[a]or 0,0,"",nil,"",""
local i,aI=L[a].algorithm,nil
if i.divide then ax,cC=i.divide(a)end
if bV~=0 then j,co=ds,I(es,bV)end
if K~=""then j,co=j+eu,co..I(ex,#K,K)end
if ax~=""then j,co=j+et,co..ax end
if c<16777216 and g==c and not r then
if aI then s=I("<c0Bi6I3i6",O,j,e,c,aI)
else s=I("<c0Bi6I3",O,j,e,c)
end
else
local av,t="<c0Bi6I3",""
if c>=1099511627776 then av,j="<c0Bi6I7",j+2
elseif c>=16777216 then av,j="<c0Bi6I5",j+1
end
if g~=c and g==0 then j=j+aZ
elseif g~=c then j,t=j+bs,I("<I7",g)
end
if r then j,t=j+bm,t..I("<I7",r)end
s=I(av,O,j,e,c)..t
end
return s..co..cC
end
local function gF(a)
local b,af,K,fu=L[a],KEYS[a],"",0
local r,bV=aj[a]or 0,ao[a]or 0
local v=b.algorithm.reset_after(a,b)
if aE[a]then K,fu=eP(a)end
v=G(v,bV-h,fu)
if not(v>0 or aW>0 and(c[a]>0 or r>0 or bV>0))then
if x[a]and x[a].is_apart then aa("UNLINK",x[a].key)end
return aa("DEL",af)
end
local ah
ah=bX("%d",(v<aw and v or aw)+aW)
aa("PSETEX",af,ah,fW(a,K))
if b.algorithm.write then b.algorithm.write(a,ah)end
if aE[a]then fw(a,ah)end
end
local function gG()
for a=1,au do
if aQ[a]and not aG[a]then gF(a)end
end
for U,d in ipairs(dN)do
if d.is_apart then aa("UNLINK",d.key)end
end
end
local gi,Q=pcall(gG)
if not gi then
local s=type(Q)=="table"and Q.err or Q
H=nil
for l,bz in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aC(s,bz,1,true)then H=-l end
end
local aT=aC(s,"READONLY ",1,true)
if aT then return{err=string.sub(s,aT)}end
if not H then error(Q,0)end
end
p[cu]=H
return p
`,
} as const;
