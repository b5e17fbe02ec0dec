/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "2814d0a4e00df9939966dc2184530a4dc9b1b697",
  source: `local S,ak,cj,bt,gI=struct.pack,struct.unpack,string.format,string.find,string.byte
local Q,dW,P,y,V,ah=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local ax=4503599627370496
local aM=4000
local aZ=0
local ba,ao,bC,cd,ee,cU,cZ,cX,cY,df,fm,fl,fe,fo,fj,fk,bP,cD,da,fn,cT,cz,cA,gH,gF,gG,dd=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,3,3,2,3,2
local h,bW=tonumber(ARGV[3]),3600000
if not h then
local eZ=Q("TIME")
h,bW=eZ[1]*1000+V(eZ[2]/1000),0
end
local bA,bD,bB,cW,ed,ec=4,8,16,32,64,128
local eb="<I7"
local eg="<I4c0"
local cw="<I4i7i6"
local cB,ei,T,cy="<i6I4I7",17,3,256
local di=bit.band
local function eO(U,i,aL,cM,cc,gj,fs,fy,ca)
return{
definition=U,kind=i,rate=aL,period=cM,ticks_per_unit=cc,
refill_per_ms=gj,capacity_ticks=fs,debt_ticks=fy,share=ca,
}
end
local aW,by=cjson.decode(ARGV[1]),nil
for k=1,#aW do aW[k]=eO(unpack(aW[k]))end
if ARGV[2]and ARGV[2]~=""then by=cjson.decode(ARGV[2])end
local av=#KEYS
local bO=Q("MGET",unpack(KEYS,1,P(av,aM)))
for O=aM+1,av,aM do
local eo=Q("MGET",unpack(KEYS,O,P(O+aM-1,av)))
for k=1,#eo do bO[O+k-1]=eo[k]end
end
local bi,bE,N
if by then bi,bE,N=by.owners,by.anchors,by.steps end
if not by or by.takes_units then
local as,ac,u,R,z,ai=true,nil,{h,0},0,nil,nil
local br,E,aQ,bm,aP,aH={},nil,nil,nil,nil,nil
if N then E,aQ,bm,aP,aH={},{},{},{},{}end
for a=1,av do
local b,J=aW[bi and bi[a]or 1],bO[a]
local U,d,e,g,p=b.definition,0,h,0,nil
if not J then
ac=ac or{}
ac[#ac+1]=KEYS[a]
if b.kind>=ao then e=h-(h-(bE and bE[a]or 0))%b.period end
elseif bt(J,U,1,true)==1 then
local f=#U+1
local ar,n=#J-f,nil
if ar>=9 then
n,e,d=ak("<Bi6I3",J,f)
g,f=d,f+10
if n>0 then
local A=n%4
local bv,bu=n%16>=bD,n%32>=bB
if ar<9+2*A+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if A>0 then d,f=ak(A==1 and"<I5"or"<I7",J,f-3)end
g=n%16>=bA and 0 or d
if bv then g,f=ak("<I7",J,f)end
if bu then p,f=ak("<I7",J,f)end
end
end
else
f=nil
end
if f~=#J+1 then as=false end
else
as=false
end
if e>h or b.rate==0 or b.kind>=cd then as=false end
if not as then break end
local f=cz+cA*(a-1)
u[f+1],u[f+2],u[f+3]=d,h-e,d-g
if p then
br[a],z=p,z or{}
local C=#z
z[C+1],z[C+2],z[C+3]=a,p,0
end
if N then E[a],aQ[a],bm[a],aP[a]=b,d,e,g end
end
if ac and as and(#ac>aM or Q("EXISTS",unpack(ac))>0)then as=false end
if as and not N then
for a=1,av do
local b,f=aW[bi and bi[a]or 1],cz+cA*(a-1)
local i,d,e,p=b.kind,u[f+1],h-u[f+2],br[a]
local g=d-u[f+3]
local r,aj
if i<ao then
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif i==ao then
local t=h-e
if t>=b.period then
local I=V(t/b.period)
d,e=d-I*b.rate,e+I*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local t=h-e
if t>=b.period then
local I=V(t/b.period)
p=I==1 and d>0 and d or nil
d,e,g=0,e+I*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-y(0,h-e))end
aj=1
end
if r+b.ticks_per_unit<=b.capacity_ticks then
d,g,R=d+aj,g+aj,R+1
local U,n,F,B=b.definition,0,nil,nil
if i<ao then
F=d==0 and 0 or e-h+ah(d/b.refill_per_ms)
elseif i==ao then
F=d==0 and 0 or e+ah(d/b.rate)*b.period-h
else
F=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if d<16777216 and g==d and not p then
B=S("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bA
elseif g~=d then n,z=n+bD,S("<I7",g)
end
if p then n,z=n+bB,z..S("<I7",p)end
B=S(aG,U,n,e,d)..z
end
local aC=cj("%d",(F<ax and F or ax)+bW)
local ea=dW("PSETEX",KEYS[a],aC,B)
ai=ai or ea.err
end
end
elseif as then
local f,C=1,#N
while f<=C do
local O,cF,bV=f,f,true
if N[f]==cD then O,cF=f+2,f+1+N[f+1]end
for bJ=O,cF do
local a=N[bJ]
local b,d,e,g,p=E[a],aQ[a],bm[a],aP[a],br[a]
local i=b.kind
local r,aj
if i<ao then
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif i==ao then
local t=h-e
if t>=b.period then
local I=V(t/b.period)
d,e=d-I*b.rate,e+I*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local t=h-e
if t>=b.period then
local I=V(t/b.period)
p=I==1 and d>0 and d or nil
d,e,g=0,e+I*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-y(0,h-e))end
aj=1
end
aQ[a],bm[a],aP[a],br[a]=d,e,g,p
bV=bV and r+b.ticks_per_unit<=b.capacity_ticks
end
for bJ=O,bV and cF or 0 do
local a=N[bJ]
local b=E[a]
local aj=b.kind==bC and 1 or b.ticks_per_unit
aQ[a],aP[a],aH[a]=aQ[a]+aj,aP[a]+aj,true
R=R+1
end
f=cF+1
end
for a=1,av do
if aH[a]then
local b,d,e,g,p=E[a],aQ[a],bm[a],aP[a],br[a]
local i=b.kind
local U,n,F,B=b.definition,0,nil,nil
if i<ao then
F=d==0 and 0 or e-h+ah(d/b.refill_per_ms)
elseif i==ao then
F=d==0 and 0 or e+ah(d/b.rate)*b.period-h
else
F=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if d<16777216 and g==d and not p then
B=S("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bA
elseif g~=d then n,z=n+bD,S("<I7",g)
end
if p then n,z=n+bB,z..S("<I7",p)end
B=S(aG,U,n,e,d)..z
end
local aC=cj("%d",(F<ax and F or ax)+bW)
local ea=dW("PSETEX",KEYS[a],aC,B)
ai=ai or ea.err
end
end
end
if as then
if ai then
local B=type(ai)=="table"and ai.err or ai
R=nil
for k,ch in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bt(B,ch,1,true)then R=-k end
end
if not R then error(ai,0)end
end
u[dd],u[#u+1]=R,z and#z/3 or 0
for f=1,z and#z or 0 do u[#u+1]=z[f]end
return u
end
elseif by.lends then
local ct,gx,aX=string.rep,string.sub,table.remove
local fd={[cZ]=ba,[cX]=ao,[cY]=bC}
local as,ac,u,R,z,ai=true,nil,{h,0},0,nil,nil
for K,b in ipairs(aW)do
b.base=fd[b.kind]or b.kind
b.unit=b.base==bC and 1 or b.ticks_per_unit
end
local E,aQ,bm,aP,br,cR,aH={},{},{},{},{},{},{}
local cP,cJ,cb={},{},{}
local M={}
for a=1,av do
local b,J=aW[bi and bi[a]or 1],bO[a]
local U,i,d,e,g,p=b.definition,b.base,0,h,0,nil
local j,Y,x=nil,0,0
if not J then
ac=ac or{}
ac[#ac+1]=KEYS[a]
if i>=ao then e=h-(h-(bE and bE[a]or 0))%b.period end
elseif bt(J,U,1,true)==1 then
local f=#U+1
local ar,n=#J-f,nil
if ar>=9 then
n,e,d=ak("<Bi6I3",J,f)
g,f=d,f+10
if n>0 then
local A=n%4
local bv,bu=n%16>=bD,n%32>=bB
if ar<9+2*A+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if A>0 then d,f=ak(A==1 and"<I5"or"<I7",J,f-3)end
g=n%16>=bA and 0 or d
if bv then g,f=ak("<I7",J,f)end
if bu then p,f=ak("<I7",J,f)end
end
end
else
f=nil
end
if f then x=(#J+1-f)/ei end
as=f and(x==0 or n<cW and i~=b.kind and x%1==0 and x<=cy)
if as and x>0 then
cb[a]=gx(J,f)
j={ak(ct(cB,x),cb[a])}
j[#j]=nil
for k=2,#j,T do Y=Y+j[k]end
end
else
as=false
end
if e>h or b.rate==0 or i>=cd then as=false end
if not as then break end
local bJ=cz+cA*(a-1)
u[bJ+1],u[bJ+2],u[bJ+3]=d,h-e,d-g
if p then
z=z or{}
local C=#z
z[C+1],z[C+2],z[C+3]=a,p,0
end
if i~=b.kind then
local C=#M+1
M[C]=j and#j/T or 0
for k=1,j and#j or 0 do M[C+k]=j[k]end
end
if j and i==ba then
local ad=Y*b.ticks_per_unit
local k,aJ=1,y(h,e)
while k<#j and j[k]<=aJ do
local s=j[k]
if s>e then
d,e=y(ad,d-(s-e)*b.refill_per_ms),s
end
ad,k=ad-j[k+1]*b.ticks_per_unit,k+T
end
if h>e then d,e=y(ad,d-(h-e)*b.refill_per_ms),h end
g,cR[a]=P(g,d-ad),d
else
local r,aj
if i<ao then
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif i==ao then
local t=h-e
if t>=b.period then
local I=V(t/b.period)
d,e=d-I*b.rate,e+I*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local t=h-e
if t>=b.period then
local I=V(t/b.period)
p=I==1 and d>0 and d or nil
d,e,g=0,e+I*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-y(0,h-e))end
aj=1
end
cR[a]=r
end
while j and j[1]and j[1]<=h do
Y,cb[a]=Y-j[2],nil
for K=1,T do aX(j,1)end
end
E[a],aQ[a],bm[a],aP[a],br[a]=b,d,e,g,p
cP[a],cJ[a]=j,Y
end
if ac and as and(#ac>aM or Q("EXISTS",unpack(ac))>0)then as=false end
if as then
local f,C=1,N and#N or av
while f<=C do
local a,x,bZ,w,bo,aw,bq=N and N[f]or f,1,0,0,0,0,0
f=f+1
if a==bP then
a,x,bZ,w,bo,aw,bq=unpack(N,f,f+6)
f=f+7
end
local b,j,Y=E[a],cP[a],cJ[a]
local d,r,g=aQ[a],cR[a],aP[a]
local aj,cc=b.unit,b.ticks_per_unit
if aw+bq>0 then
j,aH[a]=j or{},true
local bj,bz=0,0
for cu=1,aw+bq do
local dO,o,k=N[f],N[f+1],T
while j[k]and j[k]~=dO do k=k+T end
if j[k]then
local p=j[k-1]
local bN=P(p,o)
local bn=cu>aw and 0 or bN
j[k-1],Y,bz=bn,Y-p+bn,bz+p-bN
if cu>aw then bj=bj+bN end
for K=1,bn==0 and T or 0 do aX(j,k-2)end
end
f=f+2
end
d,r,g=d-bj*aj,r-bj*cc,g+bz*aj
if bj+bz>0 then cb[a]=nil end
end
local Z=bZ==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if r+y(1,x)*cc<=Z then
d,r,g=d+x*aj,r+x*cc,g+x*aj
aH[a],R=true,R+1
if bo>0 and b.share then
local bH=h+b.share
if b.base~=ba then bH=P(bH,bm[a]+b.period)end
j=j or{}
local o=0
if bo>0 and#j<T*cy then
local dw=V(b.capacity_ticks/b.ticks_per_unit/2)
o=P(bo,ah(V((b.capacity_ticks-r)/b.ticks_per_unit)/2),dw-Y)
end
if o>0 then
local G,s=o,y(bH,j[#j-2]or bH)
for k=#j,T,-T do
if j[k]==w then
G=G+j[k-1]
for K=1,T do aX(j,k-2)end
end
end
local C=#j
j[C+1],j[C+2],j[C+3]=s,G,w
Y=Y+o
else
o=0
end
if o>0 then cb[a]=nil end
d,r,R=d+o*aj,r+o*cc,R+o
end
end
aQ[a],cR[a],aP[a],cP[a],cJ[a]=d,r,g,j,Y
end
for a=1,av do
if aH[a]and not ai then
local b,d,e,g,p=E[a],aQ[a],bm[a],aP[a],br[a]
local U,i,n,F,B=b.definition,b.base,0,nil,nil
local j=cP[a]
local eB=j and j[1]
if eB and i==ba then
local ad=cJ[a]*b.ticks_per_unit
local bg,s=d,e
for k=1,#j,T do
if j[k]>e then
bg=y(ad,bg-(j[k]-s)*b.refill_per_ms)
s,ad=j[k],ad-j[k+1]*b.ticks_per_unit
end
end
F=bg<=0 and 0 or s+ah(bg/b.refill_per_ms)-h
else
if i<ao then
F=d==0 and 0 or e-h+ah(d/b.refill_per_ms)
elseif i==ao then
F=d==0 and 0 or e+ah(d/b.rate)*b.period-h
else
F=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
end
if F<=0 then
Q("DEL",KEYS[a])
else
if d<16777216 and g==d and not p then
B=S("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bA
elseif g~=d then n,z=n+bD,S("<I7",g)
end
if p then n,z=n+bB,z..S("<I7",p)end
B=S(aG,U,n,e,d)..z
end
local aC=cj("%d",(F<ax and F or ax)+bW)
if eB then
B=B..(cb[a]or S(ct(cB,#j/T),unpack(j)))
end
ai=dW("PSETEX",KEYS[a],aC,B).err
end
end
end
if ai then
local B=type(ai)=="table"and ai.err or ai
R=nil
for k,ch in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bt(B,ch,1,true)then R=-k end
end
if not R then error(ai,0)end
end
u[dd],u[#u+1]=R,z and#z/3 or 0
for f=1,z and#z or 0 do u[#u+1]=z[f]end
for f=1,#M do u[#u+1]=M[f]end
return u
end
end
local E,d,e,g={},{},{},{}
local aa,af,q,au,aU={},{},{},{},{}
local cQ,cg,cl,dy={},{},{},{}
local aD,aH={},{}
local bk,du={},{}
local ca,bS,ex,fc,dn
local cn,co
local function bx(a)
aD[a],d[a],e[a],g[a]=true,-1,h,0
end
local function fz(a,n,f)
local J=bO[a]
if di(n,cW)~=0 then af[a],f=ak(eb,J,f)end
if di(n,ed)~=0 then cQ[a],f=ak(eg,J,f)end
if di(n,ec)~=0 then
cg[a]={ak(cw,J,f)}
f=cg[a][4]
end
cl[a]=string.sub(J,f)
end
local bd,bb,bc=d,e,g
local function eu(a,fW)
local J,f,d,e,g,p=bO[a],fW+1,nil,nil,nil,nil
local ar,n=#J-f,nil
if ar>=9 then
n,e,d=ak("<Bi6I3",J,f)
g,f=d,f+10
if n>0 then
local A=n%4
local bv,bu=n%16>=bD,n%32>=bB
if ar<9+2*A+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if A>0 then d,f=ak(A==1 and"<I5"or"<I7",J,f-3)end
g=n%16>=bA and 0 or d
if bv then g,f=ak("<I7",J,f)end
if bu then p,f=ak("<I7",J,f)end
end
end
else
f=nil
end
if not f then return false end
bd[a],bb[a],bc[a],aa[a]=d,e,g,p
return f>#J or pcall(fz,a,n,f)
end
local ac,at,aF={},nil,{}
for K,b in ipairs(aW)do aF[b.kind]=true end
for a=1,av do
local b,J=aW[bi and bi[a]or 1],bO[a]
E[a]=b
if not J then
ac[#ac+1]=a
else
local fQ=bt(J,b.definition,1,true)==1 and eu(a,#b.definition)
if not fQ or cQ[a]or e[a]>h then
at=at or{}
at[#at+1]=a
end
end
end
local bp,fb
if N then
bp={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fb(f)
local ab,el=N[f],N[f+1]
if ab>0 then return 1 end
if ab==bP then return 1+bp[bP]+2*(N[f+6]+N[f+7])end
local fP=ab==df or ab==da
return 1+bp[ab]+(fP and cT*el or ab==cD and el or 0)
end
end
local aE={}
local function ce(a,i,be)
d[a]=d[a]+be
if i.record and be~=0 then i.record(a,be)end
end
local function fu(a,b,x)
local i,eX=b.algorithm,x*b.counts_per_unit
i.advance(a,b)
ce(a,i,eX)
g[a]=g[a]+eX
end
local function gt(a,b,eQ,gh)
local i,dt=b.algorithm,gh-eQ
i.advance(a,b)
local Z=(i.most_counts and i.most_counts(b)or ax)-d[a]-(aa[a]or 0)
local fU=i.queues and 0 or-g[a]
ce(a,i,y(fU,P(dt*b.counts_per_unit,y(0,Z))))
g[a]=P(y(0,g[a]-eQ*b.counts_per_unit),d[a])
if dt>0 and au[a]then ca(a,b,dt,aZ)end
end
local function fr(a,b,r,cr,f)
local i,eY=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
d[a],e[a],aa[a]=0,i.is_aligned and f-(f-(bE and bE[a]or 0))%b.period or f,nil
ce(a,i,ah(r/eY))
g[a]=V(cr/eY)
end
local function fS(a,b,v)
local i=b.algorithm
if not i.has_history or b.period~=v.period then return false end
local function eU(U)return string.match(U,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return eU(b.definition)==eU(v.definition)and i.used(a,b)<=b.capacity_ticks
end
local function aL(i)
i.charge,i.settle,i.begin,i.keep=fu,gt,fr,fS
return i
end
local function em(b)
b.algorithm=aE[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local dE=aF[cZ]or aF[cX]or aF[cY]
if dE then aF[ba],aF[ao],aF[bC]=true,true,true end
if at or aF[ba]then
local aq={is_reservable=true}
local function dv(ap,m)
while m~=0 do ap,m=m,ap%m end
return ap
end
function aq.define(b)
local cv=dv(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cv,b.rate/cv
end
function aq.used(a,b)
local d,e,g=d[a],e[a],0
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local bd,bb,bc=d,e,g
function aq.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
bd[a],bb[a],bc[a]=d,e,g
end
function aq.reset_after(a,b)
local d,e,g,F=d[a],e[a],0,nil
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
F=d==0 and 0 or e-h+ah(d/b.refill_per_ms)
return F
end
aE[ba]=aL(aq)
end
if at or aF[ao]then
local aA={is_aligned=true,is_reservable=true}
function aA.used(a,b)
local d,e,g=d[a],e[a],0
local t=h-e
if t>=b.period then
local I=V(t/b.period)
d,e=d-I*b.rate,e+I*b.period
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local bd,bb,bc=d,e,g
function aA.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local t=h-e
if t>=b.period then
local I=V(t/b.period)
d,e=d-I*b.rate,e+I*b.period
if d<0 then d=0 end
if g>d then g=d end
end
bd[a],bb[a],bc[a]=d,e,g
end
function aA.reset_after(a,b)
local d,e,g,F=d[a],e[a],0,nil
local t=h-e
if t>=b.period then
local I=V(t/b.period)
d,e=d-I*b.rate,e+I*b.period
if d<0 then d=0 end
if g>d then g=d end
end
F=d==0 and 0 or e+ah(d/b.rate)*b.period-h
return F
end
function aA.most_counts(b)
return b.rate==0 and ax or P(ax,V(ax/b.period)*b.rate)
end
aE[ao]=aL(aA)
end
if at or aF[bC]then
local aA={is_aligned=true,has_history=true,counts_units=true}
function aA.define(b)
b.ticks_per_unit=b.period
end
function aA.used(a,b)
local d,e,g,p,r=d[a],e[a],0,aa[a],nil
local t=h-e
if t>=b.period then
local I=V(t/b.period)
p=I==1 and d>0 and d or nil
d,e,g=0,e+I*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-y(0,h-e))end
return r
end
local bd,bb,bc=d,e,g
function aA.advance(a,b)
local d,e,g,p=d[a],e[a],g[a],aa[a]
local t=h-e
if t>=b.period then
local I=V(t/b.period)
p=I==1 and d>0 and d or nil
d,e,g=0,e+I*b.period,0
end
bd[a],bb[a],bc[a],aa[a]=d,e,g,p
end
function aA.reset_after(a,b)
local d,e,g,p,F=d[a],e[a],0,aa[a],nil
local t=h-e
if t>=b.period then
local I=V(t/b.period)
p=I==1 and d>0 and d or nil
d,e,g=0,e+I*b.period,0
end
F=d>0 and e+2*b.period-h or p and e+b.period-h or 0
return F
end
function aA.most_counts(b)
return V(ax/b.period)
end
aE[bC]=aL(aA)
end
if at or aF[cd]then
function cn(a,b)
return(string.gsub(KEYS[dy[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function ci(aB,W)
local H=redis.pcall(aB,W,0,0)
if not H.err then return H end
if not bt(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function co(W,aB,ar)
local H=ci(aB,W)
if not H then return false end
if H[1]and#H[1]~=ar then return false end
if H[1]then Q("UNLINK",W)end
return true
end
local function dC(a,c,aB,ar)
local H=ci(aB,c.key)
if not H or H[1]and#H[1]~=ar then return bx(a)end
return H[1]~=nil
end
local function bT(aB,W,bF)
for O=1,#bF,aM do
Q(aB,W,unpack(bF,O,P(O+aM-1,#bF)))
end
end
local function aJ(a)
return y(e[a],h)
end
local function dT(dQ)
local aK={}
for W in pairs(dQ)do aK[#aK+1]=W end
table.sort(aK)
return aK
end
local cV,aY,de="<i6I7",13,9007199254740992
local aS=32
local bQ=aS*aY
local dc=1024
local am={has_history=true,keeps_list=true}
local function gc(X,o)
return X>=de-o and X-(de-o)or X+o
end
local function bI(X,ds)
return X<ds and X-ds+de or X-ds
end
local function eM(c,dJ)
local B=c.read[dJ]
if not B then
B=Q("LINDEX",c.key,dJ-1)
c.read[dJ]=B
end
return B
end
local function bs(c,ae)
local B,dH=c.tail,(ae-c.pages*aS-1)*aY
if dH<0 then B,dH=eM(c,ah(ae/aS)),(ae-1)%aS*aY end
local s,X=ak(cV,B,dH+1)
return s-c.shift,X
end
local function bL(c,ae)
if ae==c.head then return c.base end
local K,X=bs(c,ae)
return X
end
local function eG(c,s)
local ay,aI=c.head,c.length
if ay==aI or bs(c,ay+1)>s then return ay end
while ay<aI do
local aT=ah((ay+aI)/2)
if bs(c,aT)<=s then ay=aT else aI=aT-1 end
end
return ay
end
local function eF(c,o)
local ay,aI=c.head,c.length
while ay<aI do
local aT=ah((ay+aI)/2)
if bI(c.sum,bL(c,aT))>=o then ay=aT else aI=aT-1 end
end
return ay
end
local function dR(c,az)
c.tail,c.length=az,c.pages*aS+#az/aY
c.sum=c.length>c.head and select(2,bs(c,c.length))or c.base
end
local function ej(c,s,X)
c.tail=c.tail..S(cV,s+c.shift,X)
c.length,c.sum=c.length+1,X
end
function am.open(a,b)
local W=cn(a,b)
local dz=q[a]and q[a].key==W and q[a].is_apart
q[a]={
key=W,is_apart=dz,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return q[a]
end
function am.load(a,b)
local c,al,az=am.open(a,b),cg[a],cl[a]or""
if#az%aY~=0 then return bx(a)end
if al then
c.pages,c.head,c.shift=al[1],al[2],al[3]
c.is_apart,c.stored=c.pages>0,c.pages
end
if c.is_apart and not dC(a,c,"LRANGE",bQ)then
c.is_apart,c.pages,c.head,c.stored=false,0,0,0
az=S(cV,e[a]+c.shift,d[a])
end
dR(c,az)
c.base=bI(c.sum,d[a])
end
local function cH(a,b)
local c,bh=q[a],aJ(a)-b.period
if c.over~=bh then c.over,c.last_over=bh,eG(c,bh)end
return c.last_over
end
function am.used(a,b)
local c=q[a]
return bI(c.sum,bL(c,cH(a,b)))
end
function am.advance(a,b)
local c,bh=q[a],cH(a,b)
c.base=bL(c,bh)
c.head=bh
d[a]=bI(c.sum,c.base)
g[a]=P(g[a],d[a])
end
function am.reset_after(a,b)
local c=q[a]
if c.length==c.head then return 0 end
return y(0,bs(c,c.length)+b.period-h)
end
local function gd(a,o)
local c,s=q[a],aJ(a)
local X=gc(c.sum,o)
if c.length==c.head then c.base,X=0,o end
if c.length>c.head and bs(c,c.length)==s then
c.tail,c.length=string.sub(c.tail,1,-aY-1),c.length-1
end
ej(c,s,X)
e[a]=s
end
local function gB(c,ae)
if ae<=c.pages*aS then
local dY=y(0,ah(ae/aS)-1)
local az=ae>0 and string.sub(eM(c,dY+1),1,(ae-dY*aS)*aY)or""
c.pages=dY
return dR(c,az)
end
dR(c,string.sub(c.tail,1,(ae-c.pages*aS)*aY))
end
local function gz(a,o)
local c=q[a]
local C,X=eF(c,o),bI(c.sum,o)
c.cuts[C],c.cuts[C+1]=true,true
local s=C<c.length and X~=bL(c,C)and bs(c,C+1)
gB(c,C)
if s then ej(c,s,X)end
end
function am.record(a,be)
if be>0 then gd(a,be)else gz(a,-be)end
end
function am.note(a,b,Z)
local c=q[a]
if af[a]and af[a]>h then c.cuts[eG(c,y(e[a],af[a])-b.period)]=true end
if Z>=0 and am.used(a,b)>Z then c.cuts[eF(c,Z+1)+1]=true end
end
function am.note_each(a,b,o)
local c,ae=q[a],cH(a,b)
local p,Z=bL(c,ae),am.used(a,b)+o-b.capacity_ticks
while ae<c.length and bI(bL(c,ae),p)<Z do
ae=ae+1
c.cuts[ae]=true
end
bk[a].is_whole=ae==c.length
if not bk[a].is_whole then am.note(a,b,-1)end
end
function am.see(a,b)
local c,bh=q[a],cH(a,b)
bk[a]={
key=c.key,pages=c.pages,head=bh,base=bL(c,bh),length=c.length,shift=c.shift,
tail=c.tail,read=c.read,cuts=c.cuts,
}
end
function am.show(a,u)
local M,x=bk[a],#u+1
local X,bl=M.base,0
if M.length>M.head then M.cuts[M.head+1],M.cuts[M.length]=true,true end
u[x]=0
for K,ae in ipairs(dT(M.cuts))do
if ae>M.head and ae<=M.length then
local s,cs=bs(M,ae)
u[#u+1],u[#u+2]=s,bI(cs,X)
X,bl=cs,bl+1
end
end
u[x]=M.is_whole and bl or-bl
end
function am.divide(a)
local c=q[a]
if c.length==c.head then c.pages,c.head,c.tail,c.shift=0,0,"",0 end
c.dropped=P(V(c.head/aS),c.pages,dc)
c.kept=c.pages-c.dropped
local dx,az,cO=c.head-c.dropped*aS,c.tail,{}
if c.kept==0 then dx,az=0,string.sub(az,dx*aY+1)end
local dA=nil
while#az>bQ do
if dA==nil then dA=c.is_apart or co(c.key,"LRANGE",bQ)end
if not dA then break end
cO[#cO+1],az=string.sub(az,1,bQ),string.sub(az,bQ+1)
end
c.pushed=cO
local eN=c.kept+#cO
return(eN>0 or c.shift~=0)and S(cw,eN,dx,c.shift)or"",az
end
function am.write(a,aC)
local c=q[a]
if c.is_apart and c.kept==0 then Q("UNLINK",c.key)
elseif c.is_apart and(c.dropped>0 or c.pages<c.stored)then
Q("LTRIM",c.key,c.dropped,c.pages-1)
end
bT("RPUSH",c.key,c.pushed)
if c.kept+#c.pushed>0 then Q("PEXPIRE",c.key,aC)end
end
function am.rewind(a,an)
q[a].shift,q[a].over=q[a].shift+an,nil
end
aE[cd]=aL(am)
local gs=am.keep
function am.keep(a,b,v)
if not gs(a,b,v)then return false end
dn(a,b,"LRANGE",bQ)
return true
end
end
if at or aF[ee]then
local aq={is_reservable=true}
local function dv(ap,m)
while m~=0 do ap,m=m,ap%m end
return ap
end
function aq.define(b)
local cv=dv(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cv,b.rate/cv
end
function aq.used(a,b)
local d,e,g=d[a],e[a],0
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local bd,bb,bc=d,e,g
function aq.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
bd[a],bb[a],bc[a]=d,e,g
end
function aq.reset_after(a,b)
local d,e,g,F=d[a],e[a],0,nil
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
F=d==0 and 0 or e-h+ah(d/b.refill_per_ms)
return F
end
aq.queues=true
aE[ee]=aL(aq)
end
if at or aF[cU]then
function cn(a,b)
return(string.gsub(KEYS[dy[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function ci(aB,W)
local H=redis.pcall(aB,W,0,0)
if not H.err then return H end
if not bt(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function co(W,aB,ar)
local H=ci(aB,W)
if not H then return false end
if H[1]and#H[1]~=ar then return false end
if H[1]then Q("UNLINK",W)end
return true
end
local function dC(a,c,aB,ar)
local H=ci(aB,c.key)
if not H or H[1]and#H[1]~=ar then return bx(a)end
return H[1]~=nil
end
local function bT(aB,W,bF)
for O=1,#bF,aM do
Q(aB,W,unpack(bF,O,P(O+aM-1,#bF)))
end
end
local function aJ(a)
return y(e[a],h)
end
local function dT(dQ)
local aK={}
for W in pairs(dQ)do aK[#aK+1]=W end
table.sort(aK)
return aK
end
local cx,db,cC="<I7B",8,35184372088832
local dc=128
local function bK(A,s)
return cj("%.0f",(A-1)*cC+s)
end
local function dr(o,dX)
local A=1
while o>0 do
if o%2==1 then dX(A)end
o,A=V(o/2),A+1
end
end
local function fv(c,s)
local o,fq=0,y(0,c.floor+c.shift+1)
for A=1,c.sizes do
local aN=Q("ZCOUNT",c.key,bK(A,fq),bK(A,s+c.shift))
o=o+2^(A-1)*aN
end
return o
end
local function gg(c,w)
local aN={}
for A=1,c.sizes do aN[A]=S(cx,w,A)end
local l={units=0,id=w}
for A,B in ipairs(#aN>0 and Q("ZMSCORE",c.key,unpack(aN))or{})do
if B then
l.units=l.units+2^(A-1)
l.instant=tonumber(B)-(A-1)*cC-c.shift
end
end
return l.units>0 and l or nil
end
local function gu(c,aV)
for A=1,c.sizes do
local O,C,aO=bK(A,aV+c.shift),bK(A+1,-1),{}
for K,fY in ipairs(Q("ZRANGEBYSCORE",c.key,"("..O,C))do
aO[#aO+1],aO[#aO+2]=O,fY
end
bT("ZADD",c.key,aO)
end
end
local function gf(c)
local dk,G,H={},{},Q("ZRANGE",c.key,0,-1,"WITHSCORES")
for f=1,#H,2 do
local w,A=ak(cx,H[f])
local l=dk[w]or{units=0,id=w}
l.instant=tonumber(H[f+1])-(A-1)*cC-c.shift
l.units=l.units+2^(A-1)
if not dk[w]then dk[w],G[#G+1]=l,l end
end
return G
end
local function gE(c,gk,cf)
local aN,aO={},{}
for w,l in pairs(gk)do
dr(l.units,function(A)aN[#aN+1]=S(cx,w,A)end)
end
for K,l in pairs(cf)do
dr(l.units,function(A)
aO[#aO+1],aO[#aO+2]=bK(A,l.instant+c.shift),S(cx,l.id,A)
end)
end
bT("ZREM",c.key,aN)
bT("ZADD",c.key,aO)
return#aO/2
end
local function fE(c,cf)
local aw=dc+cf
for A=1,c.sizes do
local O,C=bK(A,0),bK(A,y(-1,c.floor+c.shift))
local aN=aw>0 and Q("ZRANGEBYSCORE",c.key,O,C,"LIMIT",0,aw)or{}
bT("ZREM",c.key,aN)
aw=aw-#aN
end
end
local ef,ff="<i6I4I7",17
local fi=-cC
local fg=16
local L={holds_leases=true,keeps_list=true}
function L.open(a,b)
local W=cn(a,b)
local dz=q[a]and q[a].key==W and q[a].is_apart
q[a]={
key=W,is_apart=dz,shift=0,cuts={},kept={},sizes=0,floor=fi,
found={},removed={},added={},
}
return q[a]
end
function L.load(a,b)
local c,al,B=L.open(a,b),cg[a],cl[a]or""
if#B%ff~=0 then return bx(a)end
local f=1
while f<=#B do
local l={}
l.instant,l.units,l.id,f=ak(ef,B,f)
c.kept[#c.kept+1]=l
end
if not al then return end
c.sizes,c.floor,c.shift=al[1],al[2],al[3]
c.is_apart,c.kept=true,nil
if dC(a,c,"ZRANGE",db)or aD[a]then return end
L.open(a,b).kept[1]={instant=e[a]+b.period,units=d[a],id=aZ}
end
local function es(c,s)
if s<=c.floor then return 0 end
if not c.kept then return fv(c,s)end
local o=0
for K,l in ipairs(c.kept)do
if l.instant>s then break end
if l.instant>c.floor then o=o+l.units end
end
return o
end
local function dp(G,c,s)
local o=0
for K,l in pairs(G)do
if l.instant>c.floor and l.instant<=s then o=o+l.units end
end
return o
end
local function et(c,s)
return es(c,s)-dp(c.removed,c,s)+dp(c.added,c,s)
end
local function fw(a)
local c,s=q[a],aJ(a)
if s<=c.floor then return 0 end
if c.over~=s then c.over,c.units_over=s,et(c,s)end
return c.units_over
end
function L.used(a)
return d[a]-fw(a)
end
function L.advance(a)
d[a]=L.used(a)
q[a].floor=y(q[a].floor,aJ(a))
end
local function fH(c,w)
for K,l in ipairs(c.kept)do
if l.id==w then return l end
end
end
local function fI(c,w)
if c.found[w]==nil then
c.found[w]=(c.kept and fH or gg)(c,w)or false
end
return c.found[w]or nil
end
local function ez(c,w)
local l=c.added[w]or not c.removed[w]and fI(c,w)or nil
return l and l.instant>c.floor and l or nil
end
local function aX(c,w)
local l=ez(c,w)
if not l then return 0 end
if c.added[w]then c.added[w]=nil else c.removed[w]=l end
return l.units
end
local function ce(a,w,o,s)
local c=q[a]
local p=aX(c,w)
c.added[w]={instant=s,units=p+o,id=w}
end
function L.charge(a,b,o,w)
L.advance(a)
e[a]=aJ(a)
ce(a,w,o,e[a]+b.period)
d[a]=d[a]+o
end
L.settle=L.advance
function L.reset_after(a,b)
return L.used(a)==0 and 0 or e[a]+b.period-h
end
function L.begin(a,b,r,K,f)
L.open(a,b)
d[a],e[a],aa[a],g[a]=0,f,nil,0
if r>0 then L.charge(a,b,r,aZ)end
end
local function en(bw,an,aV)
local G={}
for k,l in ipairs(bw)do
G[k]={instant=P(l.instant-an,aV),units=l.units,id=l.id}
end
return G
end
function L.keep(a,b,v)
dn(a,b,"ZRANGE",db)
L.advance(a)
local c,aV=q[a],aJ(a)+b.period
if c.kept then c.kept=en(c.kept,0,aV)
elseif b.period<v.period and not aD[a]then gu(c,aV)
end
e[a]=aJ(a)
return true
end
local function eL(G,an)
local eK={}
for w,l in pairs(G)do eK[w]={instant=l.instant-an,units=l.units,id=w}end
return eK
end
function L.rewind(a,an)
local c=q[a]
c.floor,c.over,c.found=c.floor-an,nil,{}
c.added,c.removed=eL(c.added,an),eL(c.removed,an)
if c.kept then c.kept=en(c.kept,an,math.huge)else c.shift=c.shift+an end
end
local function dL(a,w,x)
L.advance(a)
local c=q[a]
local l=ez(c,w)
if not l or l.units~=x then return false end
d[a]=d[a]-aX(c,w)
return true
end
local function eP(a,b,w,x)
local cm=dL(a,w,x)
if cm then L.charge(a,b,x,w)end
return cm
end
local function ew(a,dX)
for K,m in ipairs(au[a]or{})do
if E[m].algorithm==L then dX(m,E[m])end
end
end
function L.release(a,K,w,x)
ew(a,function(m)dL(m,w,x)end)
dL(a,w,x)
end
function L.renew(a,b,w,x)
if not eP(a,b,w,x)then return end
ew(a,function(m,eD)
if not eP(m,eD,w,x)then L.charge(m,eD,x,w)end
end)
end
local function fG(a,b,o)
local c,ay,aI=q[a],aJ(a),e[a]+b.period
for K,l in ipairs(c.kept or{})do
local cm=l.instant>c.floor and not c.removed[l.id]
if cm then o=o-l.units end
if cm and o<=0 then return l.instant end
end
if c.kept then return aI end
while ay+1<aI do
local aT=V((ay+aI)/2)
if et(c,aT)>=o then aI=aT else ay=aT end
end
return aI
end
function L.note(a,b,Z)
local c=q[a]
if af[a]and af[a]>h then c.cuts[y(e[a],af[a])]=true end
if Z>=0 and L.used(a)>Z then c.cuts[fG(a,b,d[a]-Z)]=true end
end
function L.note_each(a)
bk[a].is_whole=true
end
function L.see(a,b)
local c=q[a]
bk[a]={
key=c.key,kept=c.kept,sizes=c.sizes,shift=c.shift,floor=y(c.floor,aJ(a)),
used=L.used(a),latest=e[a]+b.period,cuts=c.cuts,found=c.found,
}
end
local function ga(M)
local eT,G=M.found,{}
if M.is_whole then eT=M.kept or gf(M)end
for K,l in pairs(eT)do
if l and l.instant>M.floor then G[#G+1]=l end
end
table.sort(G,function(ap,m)return ap.instant<m.instant end)
return G
end
function L.show(a,u)
local M,x,bl,X,cq=bk[a],#u+1,0,0,1
local dD=ga(M)
local function eS(s,o,w)
u[#u+1],u[#u+2],u[#u+3]=s,o,w
bl=bl+1
end
u[x],M.cuts[M.latest]=0,true
for K,bU in ipairs(dT(M.cuts))do
if bU>M.floor and bU<=M.latest then
local cs=bU==M.latest and M.used or es(M,bU)
local D=cs-X
while dD[cq]and dD[cq].instant<=bU do
local l=dD[cq]
eS(l.instant,l.units,l.id)
D,cq=D-l.units,cq+1
end
if D>0 then eS(bU,D,-1-bl)end
X=cs
end
end
u[x]=bl
end
local function ad(c)
local G={}
for K,l in ipairs(c.kept)do
if l.instant>c.floor and not c.removed[l.id]then G[#G+1]=l end
end
for K,l in pairs(c.added)do G[#G+1]=l end
return G
end
function L.divide(a)
local c,H=q[a],{}
if not c.kept and d[a]==dp(c.added,c,math.huge)then c.kept,c.shift={},0 end
if c.kept then
local G=ad(c)
if#G<=fg or not(c.is_apart or co(c.key,"ZRANGE",db))then
for k,l in ipairs(G)do H[k]=S(ef,l.instant,l.units,l.id)end
return"",table.concat(H)
end
c.moved=G
end
for K,l in pairs(c.moved or c.added)do
dr(l.units,function(A)c.sizes=y(c.sizes,A)end)
end
return S(cw,c.sizes,c.floor,c.shift),""
end
function L.write(a,aC)
local c=q[a]
if c.kept and c.is_apart then Q("UNLINK",c.key)end
if c.kept and not c.moved then return end
local cf=gE(c,c.removed,c.moved or c.added)
if not c.kept then fE(c,cf)end
Q("PEXPIRE",c.key,aC)
end
aE[cU]=L
end
if at or dE then
local ct,aX=string.rep,table.remove
local gC,gv=d,e
local function cN(a)
return y(e[a],h)
end
local function cL(a,an)
local j={unpack(q[a].shares)}
for k=1,#j,T do j[k]=j[k]-an end
q[a]={shares=j}
return j
end
local function ev(a)
local j,s=q[a].shares,cN(a)
if not j[1]or j[1]>s then return end
j=cL(a,0)
while j[1]and j[1]<=s do
for K=1,T do aX(j,1)end
end
end
local function cS(a,s)
local j,o=q[a].shares,0
for k=1,#j,T do
if j[k]>s then o=o+j[k+1]end
end
return o
end
local function cr(a)
q[a]={shares={}}
end
local function fX(a)
local B=cl[a]or""
local x=#B/ei
if x%1~=0 or x>cy then return bx(a)end
local j={ak(ct(cB,x),B)}
j[#j]=nil
q[a]={shares=j}
end
local function fC(a)
local j=q[a].shares
return"",S(ct(cB,#j/T),unpack(j))
end
local function gr(a)
bk[a]=q[a].shares
end
local function dS(a,u)
local j,f=bk[a],#u+1
u[f]=#j/T
for k=1,#j do u[f+k]=j[k]end
end
local function fJ(a,b)
if cS(a,cN(a))==0 then return false end
b.algorithm.advance(a,b)
d[a],aa[a],g[a]=cS(a,0)*b.counts_per_unit,nil,0
return true
end
local function dM(a,b,f,aw,bq)
b.algorithm.advance(a,b)
local j,Y=cL(a,0),0
local bj,bz=0,0
for cu=1,aw+bq do
local dO,o,k=N[f],N[f+1],T
while j[k]and j[k]~=dO do k=k+T end
if j[k]then
local p=j[k-1]
local bN=P(p,o)
local bn=cu>aw and 0 or bN
j[k-1],Y,bz=bn,Y-p+bn,bz+p-bN
if cu>aw then bj=bj+bN end
for K=1,bn==0 and T or 0 do aX(j,k-2)end
end
f=f+2
end
d[a]=d[a]-bj*b.counts_per_unit
g[a]=g[a]+bz*b.counts_per_unit
end
local function fV(a,b,w,bo)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local j,Y,r=cL(a,0),cS(a,0),i.used(a,b)
local bH=i.lent_until(a,b)
local o=0
if bo>0 and#j<T*cy then
local dw=V(b.capacity_ticks/b.ticks_per_unit/2)
o=P(bo,ah(V((b.capacity_ticks-r)/b.ticks_per_unit)/2),dw-Y)
end
if o>0 then
local G,s=o,y(bH,j[#j-2]or bH)
for k=#j,T,-T do
if j[k]==w then
G=G+j[k-1]
for K=1,T do aX(j,k-2)end
end
end
local C=#j
j[C+1],j[C+2],j[C+3]=s,G,w
Y=Y+o
else
o=0
end
d[a]=d[a]+o*b.counts_per_unit
return o
end
local function dF(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cr,fX,fC,gr,dS,cL
i.forget,i.report,i.lend=fJ,dM,fV
return aL(i)
end
local aq={base=aE[ba],is_reservable=true,define=aE[ba].define}
local function dj(a,b)
local d,e,j=gC[a],gv[a],q[a].shares
local ad=cS(a,0)*b.ticks_per_unit
local k,aJ=1,y(h,e)
while k<#j and j[k]<=aJ do
local s=j[k]
if s>e then
d,e=y(ad,d-(s-e)*b.refill_per_ms),s
end
ad,k=ad-j[k+1]*b.ticks_per_unit,k+T
end
if h>e then d,e=y(ad,d-(h-e)*b.refill_per_ms),h end
return d,e,ad
end
function aq.used(a,b)
return(dj(a,b))
end
function aq.advance(a,b)
local ad
d[a],e[a],ad=dj(a,b)
g[a]=P(g[a],d[a]-ad)
ev(a)
end
function aq.reset_after(a,b)
local j,F=q[a].shares,nil
local d,e,ad=dj(a,b)
local bg,s=d,e
for k=1,#j,T do
if j[k]>e then
bg=y(ad,bg-(j[k]-s)*b.refill_per_ms)
s,ad=j[k],ad-j[k+1]*b.ticks_per_unit
end
end
F=bg<=0 and 0 or s+ah(bg/b.refill_per_ms)-h
return F
end
function aq.lent_until(a,b)
return cN(a)+b.share
end
local function eH(aA)
local i=setmetatable({base=aA},{__index=aA})
function i.advance(a,b)
aA.advance(a,b)
ev(a)
end
function i.lent_until(a,b)
return P(cN(a)+b.share,e[a]+b.period)
end
return i
end
aE[cZ]=dF(aq)
aE[cX]=dF(eH(aE[ao]))
aE[cY]=dF(eH(aE[bC]))
end
for K,b in ipairs(aW)do em(b)end
local eE=at or aF[cd]or aF[cU]or dE
for O=1,#ac,aM do
local C,aK=P(O+aM-1,#ac),{}
for k=O,C do aK[#aK+1]=KEYS[ac[k]]end
if Q("EXISTS",unpack(aK))>0 then
for k=O,C do
if Q("EXISTS",KEYS[ac[k]])==1 then bx(ac[k])end
end
end
end
for K,a in ipairs(ac)do
if not aD[a]then E[a].algorithm.begin(a,E[a],0,0,h)end
end
if at then
local fh=7
local function dK(U)
local dZ={}
for gD in string.gmatch(U or"","[^,\\n]+")do dZ[#dZ+1]=tonumber(gD,36)or false end
local i,aL,cM,dl,cE=unpack(dZ)
local bR=aE[i]
if not(bR and aL and cM)then return nil end
dl=dl or aL
local b=eO(U,i,aL,cM,1,0,0,0)
if bR.define then bR.define(b)end
b.capacity_ticks=dl*b.ticks_per_unit
if bR.is_reservable and aL>0 then
local Z=(bR.most_counts and bR.most_counts(b)or ax)-b.capacity_ticks
b.debt_ticks=cE and P(cE*b.ticks_per_unit,Z)or Z
end
em(b)
return b
end
local cI=av
local function dG(a)
cI=cI+1
dy[cI]=a
return cI
end
local function fB(a,B)
au[a]={}
for k,gw in ipairs(cmsgpack.unpack(B))do
local m,U,al=dG(a),nil,nil
U,d[m],e[m],g[m],aa[m],aU[m],al,cl[m]=
unpack(gw)
if aa[m]==0 then aa[m]=nil end
local b=assert(dK(U))
E[m],au[a][k]=b,m
if al~=""then cg[m]={ak(cw,al)}end
if b.algorithm.load then b.algorithm.load(m,b)end
assert(not aD[m])
end
end
function ex(a)
local G,aV={},h
for k,m in ipairs(au[a])do
local b,al,ck=E[m],"",""
aV=y(aV,aU[m])
if b.algorithm.divide then al,ck=b.algorithm.divide(m)end
G[k]={
b.definition,d[m],e[m],g[m],aa[m]or 0,aU[m],al,ck,
}
end
return cmsgpack.pack(G),aV-h
end
function fc(a,aC)
for K,m in ipairs(au[a])do
local i=E[m].algorithm
if i.write then i.write(m,aC)end
end
end
local function fA(a)
local v=dK(string.match(bO[a],"^[^\\n]*\\n"))
if not v or not eu(a,#v.definition)then return nil end
if cQ[a]and not pcall(fB,a,cQ[a])then return nil end
return v
end
local function dm(r,v,b)
if v.ticks_per_unit==b.ticks_per_unit then return r end
local o=V(r/v.ticks_per_unit)
local gm=(r-o*v.ticks_per_unit)/v.ticks_per_unit
return o*b.ticks_per_unit+P(b.ticks_per_unit,ah(gm*b.ticks_per_unit))
end
local function eJ(r,v,b)
return b.capacity_ticks+P(dm(y(0,r-v.capacity_ticks),v,b),b.debt_ticks)
end
local function go(ap,m)
return(ap.base or ap)==(m.base or m)
end
local function fZ(a,b,v)
local cK,cp=v.algorithm,b.algorithm
if go(cK,cp)and cp.keep(a,b,v)then
if cK.base or cp.base then q[a]=cp.base and{shares={}}or nil end
return
end
cK.advance(a,v)
local r=cK.used(a,v)
local bw=P(dm(r,v,b),eJ(r,v,b))
local cr=P(bw,dm(g[a]*v.ticks_per_unit/v.counts_per_unit,v,b))
q[a]=nil
cp.begin(a,b,bw,cr,y(h,e[a]))
end
local function eI(b)
if b.rate==0 then return 2*b.period end
return b.period*y(2,ah(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function eq(ap,m)
d[m],e[m],g[m],aa[m]=d[ap],e[ap],g[ap],aa[ap]
end
local function er(ap,bf)
for ey,J in pairs(ap)do
if bf[ey]==nil then bf[ey]=J end
end
return bf
end
function dn(a,b,ge,ar)
local c=q[a]
local bf=er(c,{key=cn(a,b),is_beside=false,cuts={},found={},removed={},added={}})
q[a]=bf
if not bf.is_apart or bf.key==c.key then return end
if not co(bf.key,ge,ar)then return bx(a)end
Q(c.is_beside and"COPY"or"RENAME",c.key,bf.key)
end
local function ep(a,v,b)
local m=dG(a)
E[m],q[m]=v,q[a]
if q[a]then
q[a].is_beside=true
q[a]=er(q[a],{})
end
eq(a,m)
aU[m]=P(h+y(v.algorithm.reset_after(m,v),eI(v),eI(b)),ax)
return m
end
local function dN(a,b)
if e[a]-h<b.period then return 0 end
local ab=b.algorithm.is_aligned and b.period or 1
local an=V((e[a]-h)/ab)*ab
e[a],af[a]=e[a]-an,af[a]and y(0,af[a]-an)
if q[a]then b.algorithm.rewind(a,an)end
return an
end
local function dq(D)
local bw={}
for K,m in ipairs(D or{})do
aU[m]=aU[m]-dN(m,E[m])
if aU[m]>h then bw[#bw+1]=m end
end
return bw
end
local eh="1,0,eiz5s00,gjdgxs\\n"
local function dI(D)
for k,m in ipairs(D or{})do
if E[m].definition==eh then return m,k end
end
end
local function gb(a)
local ag=dG(a)
E[ag]=dK(eh)
d[ag],e[ag],aa[ag],g[ag],aU[ag]=0,h,0,0,0
return ag
end
local function fp(a,v,D)
local ag,k=dI(D)
if ag then table.remove(D,k)else ag=gb(a)end
local r,bX=v.algorithm.used(a,v),v.ticks_per_unit
d[ag]=y(d[ag],ah(r/bX))
aa[ag]=y(aa[ag]or 0,ah((r-v.capacity_ticks)/bX))
aU[ag]=y(aU[ag],P(h+v.algorithm.reset_after(a,v),ax))
D[#D+1]=ag
end
local function fx(a,b)
local ag=dI(au[a])
if not ag then return end
local i,bX=b.algorithm,b.ticks_per_unit
local cE=P((aa[ag]or 0)*bX,b.debt_ticks)
local r=P(d[ag]*bX,b.capacity_ticks+cE)
local eR=r-i.used(a,b)
if eR<=0 then return end
if i.holds_leases then return i.charge(a,b,eR,h)end
i.advance(a,b)
i.begin(a,b,r,g[a]*bX/b.counts_per_unit,y(h,e[a]))
end
local function gA(a,b,v,D)
local K,ag=dI(D)
if v.algorithm.reset_after(a,v)>0 then
local fN=#D-(ag and 1 or 0)>=fh
if fN then fp(a,v,D)
else D[#D+1]=dq({ep(a,v,b)})[1]end
end
au[a]=#D>0 and D or nil
fZ(a,b,v)
fx(a,b)
end
local function gy(a,b,v,D,fT)
dN(a,v)
local m=table.remove(D,fT)
D[#D+1]=ep(a,v,b)
au[a]=D
eq(m,a)
q[a]=q[m]
end
local function ft(a,b,v)
local D=dq(au[a])
for k,m in ipairs(D)do
if E[m].definition==b.definition then return gy(a,b,v,D,k)end
end
gA(a,b,v,D)
end
function bS(a,b)
local fM=e[a]>h and d[a]==0 and(aa[a]or 0)==0 and(af[a]or 0)<=h
if fM then b.algorithm.begin(a,b,0,0,h)end
end
local function gi(a,b)
local v=fA(a)
if not v then return bx(a)end
local eC=v.definition==b.definition
if eC and e[a]<=h then return end
if v.algorithm.load then v.algorithm.load(a,v)end
if aD[a]then return end
if not eC then ft(a,b,v)end
dN(a,b)
bS(a,b)
aH[a]=true
end
function ca(a,b,x,l)
local D=dq(au[a])
au[a]=#D>0 and D or nil
local r=b.algorithm.used(a,b)
for K,m in ipairs(D)do
local bM,o=E[m],x
if l==aZ or not bM.algorithm.holds_leases then
local gn=eJ(r,b,bM)-bM.algorithm.used(m,bM)
o=P(x,V(gn/bM.ticks_per_unit))
end
if o>0 then bM.algorithm.charge(m,bM,o,l~=aZ and l or h)end
end
end
for K,a in ipairs(at)do gi(a,E[a])end
end
for a=1,eE and av or 0 do
local b=E[a]
if b.algorithm.load and not aD[a]then
if not q[a]then b.algorithm.load(a,b)end
if not aD[a]then b.algorithm.see(a,b)end
end
end
local u={h,0}
for a=1,av do
local f=cz+cA*(a-1)
local cG,dB=d[a],g[a]
if E[a].algorithm.note and not aD[a]then
cG=E[a].algorithm.used(a,E[a])
dB=P(dB,cG)
end
u[f+1],u[f+2],u[f+3]=cG,h-e[a],cG-dB
end
local dh=#u+1
u[dh]=0
if next(aa)or next(af)then
for a=1,av do
if aa[a]or af[a]then
local f=#u
u[dh]=u[dh]+1
u[f+1],u[f+2],u[f+3]=a,aa[a]or 0,af[a]or 0
end
end
end
local R=0
local function eA(a,b,r,Z)
local fL=af[a]and af[a]>h
return not fL and b.algorithm.used(a,b)+r<=Z
end
local function bV(a,b,r,Z)
if at then bS(a,b)end
if aD[a]then return false end
if eA(a,b,r,Z)then return true end
local i=b.algorithm
if i.note then i.note(a,b,Z-r)end
return false
end
local function dU(a,b,x,l)
b.algorithm.charge(a,b,x,l)
if au[a]then ca(a,b,x,l)end
aH[a]=true
end
local function eW(a)
local b=E[a]
if not bV(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
dU(a,b,1,aZ)
R=R+1
end
if not N then
for a=1,av do eW(a)end
else
local function ek(f,aR)
if aR==1 then return N[f],1,0,0,aZ end
return unpack(N,f,f+aR-1)
end
local function dV(O,C,aR,fO)
local dg=not fO
for f=O,C,aR do
local a,x,bZ,fK=ek(f,aR)
local b=E[a]
local Z=bZ==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dg=bV(a,b,y(1,x)*b.ticks_per_unit+fK,Z)and dg
end
for f=O,dg and C or 0,aR do
local a,x,K,K,l=ek(f,aR)
if x>0 then dU(a,E[a],x,l)end
R=R+1
end
end
local function dS(a,o)
local i=E[a].algorithm
if i.note_each and not aD[a]then i.note_each(a,E[a],o)end
end
local function bG(a,b,i,an)
i.advance(a,b)
local bn=i.is_aligned or i.holds_leases and d[a]>0
if not bn then e[a]=y(e[a],h)end
af[a]=y(e[a],h)+an
end
local function eV(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gl(a,b,i)
if af[a]and af[a]<=h then af[a]=nil end
local Y={}
for K,m in ipairs(au[a]or{})do
if aU[m]>h and eV(m,E[m])then Y[#Y+1]=m
else du[#du+1]=q[m]
end
end
au[a]=#Y>0 and Y or nil
if not eV(a,b)then i.begin(a,b,0,0,h)end
end
local function be(ab,a,O,dP)
local b=E[a]
local i=b.algorithm
if aD[a]then return end
if at then bS(a,b)end
if ab==fm then i.settle(a,b,O,dP)
elseif ab==fl then gl(a,b,i)
elseif ab==fe then bG(a,b,i,O)
elseif ab==fo then af[a]=nil
elseif ab==fj and i.holds_leases then i.release(a,b,O,dP)
elseif ab==fk and i.holds_leases then i.renew(a,b,O,dP)
end
if at then bS(a,b)end
aH[a]=true
end
local function fD(f)
local a,x,bZ,w,bo,aw,bq=unpack(N,f+1,f+bp[bP])
local b=E[a]
local i=b.algorithm
if aD[a]then return end
if at then bS(a,b)end
if aw+bq>0 then
local dM=i.report or i.advance
dM(a,b,f+1+bp[bP],aw,bq)
aH[a]=true
end
local Z=bZ==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not eA(a,b,y(1,x)*b.ticks_per_unit,Z)then return end
if x>0 then dU(a,b,x,aZ)end
local o=i.lend and i.lend(a,b,w,bo)or 0
if o>0 and au[a]then ca(a,b,o,aZ)end
aH[a],R=true,R+1+o
end
local f,C=1,#N
while f<=C do
local ab,aR=N[f],fb(f)
if ab>0 then eW(ab)
elseif ab==df then dV(f+1+bp[df],f+aR-1,cT)
elseif ab==cD then dV(f+1+bp[cD],f+aR-1,1)
elseif ab==da then dV(f+1+bp[da],f+aR-1,cT,true)
elseif ab==bP then fD(f)
elseif ab==fn then dS(N[f+1],N[f+2])
else be(ab,N[f+1],N[f+2],N[f+3])
end
f=f+aR
end
end
for a=1,eE and av or 0 do
local i=E[a].algorithm
if i.show and not aD[a]then i.show(a,u)end
end
local function fF(a,D)
local U,d,e,g=E[a].definition,d[a],e[a],g[a]
local p,bG,n,bY,B,al,ck=aa[a],af[a]or 0,0,"",nil,"",""
local i=E[a].algorithm
if i.divide then al,ck=i.divide(a)end
if bG~=0 then n,bY=cW,S(eb,bG)end
if D~=""then n,bY=n+ed,bY..S(eg,#D,D)end
if al~=""then n,bY=n+ec,bY..al end
if d<16777216 and g==d and not p then
B=S("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bA
elseif g~=d then n,z=n+bD,S("<I7",g)
end
if p then n,z=n+bB,z..S("<I7",p)end
B=S(aG,U,n,e,d)..z
end
return B..bY..ck
end
local function gp(a)
local b,W,D,fa=E[a],KEYS[a],"",0
local p,bG=aa[a]or 0,af[a]or 0
local F=b.algorithm.reset_after(a,b)
if au[a]then D,fa=ex(a)end
F=y(F,bG-h,fa)
if not(F>0 or bW>0 and(d[a]>0 or p>0 or bG>0))then
if q[a]and q[a].is_apart then Q("UNLINK",q[a].key)end
return Q("DEL",W)
end
local aC=cj("%d",(F<ax and F or ax)+bW)
Q("PSETEX",W,aC,fF(a,D))
if b.algorithm.write then b.algorithm.write(a,aC)end
if au[a]then fc(a,aC)end
end
local function gq()
for a=1,av do
if aH[a]and not aD[a]then gp(a)end
end
for K,c in ipairs(du)do
if c.is_apart then Q("UNLINK",c.key)end
end
end
local fR,ai=pcall(gq)
if not fR then
local B=type(ai)=="table"and ai.err or ai
R=nil
for k,ch in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bt(B,ch,1,true)then R=-k end
end
if not R then error(ai,0)end
end
u[dd]=R
return u
`,
} as const;
