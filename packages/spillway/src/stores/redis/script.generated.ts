/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "fa888946806bd60ff3793d92bc65f852c312773f",
  source: `local R,ak,ck,bt,gI=struct.pack,struct.unpack,string.format,string.find,string.byte
local T,cT,P,y,V,ah=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local ax=4503599627370496
local aM=4000
local aZ=0
local ba,ao,bD,ce,ee,cW,db,cZ,da,dh,fm,fl,fe,fo,fj,fk,bQ,cE,dc,fn,cV,cA,cB,gH,gF,gG,df=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,3,3,2,3,2
local h,bX=tonumber(ARGV[3]),3600000
if not h then
local eZ=T("TIME")
h,bX=eZ[1]*1000+V(eZ[2]/1000),0
end
local bB,bE,bC,cY,ed,ec=4,8,16,32,64,128
local eb="<I7"
local eg="<I4c0"
local cx="<I4i7i6"
local cC,ei,S,cz="<i6I4I7",17,3,256
local dk=bit.band
local function eO(U,i,aL,cN,cd,gj,fs,fy,cb)
return{
definition=U,kind=i,rate=aL,period=cN,ticks_per_unit=cd,
refill_per_ms=gj,capacity_ticks=fs,debt_ticks=fy,share=cb,
}
end
local aW,by=cjson.decode(ARGV[1]),nil
for k=1,#aW do aW[k]=eO(unpack(aW[k]))end
if ARGV[2]and ARGV[2]~=""then by=cjson.decode(ARGV[2])end
local av=#KEYS
local bP=T("MGET",unpack(KEYS,1,P(av,aM)))
for O=aM+1,av,aM do
local eo=T("MGET",unpack(KEYS,O,P(O+aM-1,av)))
for k=1,#eo do bP[O+k-1]=eo[k]end
end
local bi,bF,N
if by then bi,bF,N=by.owners,by.anchors,by.steps end
if not by or by.takes_units then
local as,ac,u,Q,z,ai=true,nil,{h,0},0,nil,nil
local br,E,aQ,bm,aP,aH={},nil,nil,nil,nil,nil
if N then E,aQ,bm,aP,aH={},{},{},{},{}end
for a=1,av do
local b,J=aW[bi and bi[a]or 1],bP[a]
local U,d,e,g,p=b.definition,0,h,0,nil
if not J then
ac=ac or{}
ac[#ac+1]=KEYS[a]
if b.kind>=ao then e=h-(h-(bF and bF[a]or 0))%b.period end
elseif bt(J,U,1,true)==1 then
local f=#U+1
local ar,n=#J-f,nil
if ar>=9 then
n,e,d=ak("<Bi6I3",J,f)
g,f=d,f+10
if n>0 then
local A=n%4
local bv,bu=n%16>=bE,n%32>=bC
if ar<9+2*A+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if A>0 then d,f=ak(A==1 and"<I5"or"<I7",J,f-3)end
g=n%16>=bB and 0 or d
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
if e>h or b.rate==0 or b.kind>=ce then as=false end
if not as then break end
local f=cA+cB*(a-1)
u[f+1],u[f+2],u[f+3]=d,h-e,d-g
if p then
br[a],z=p,z or{}
local C=#z
z[C+1],z[C+2],z[C+3]=a,p,0
end
if N then E[a],aQ[a],bm[a],aP[a]=b,d,e,g end
end
if ac and as and(#ac>aM or T("EXISTS",unpack(ac))>0)then as=false end
if as and not N then
for a=1,av do
local b,f=aW[bi and bi[a]or 1],cA+cB*(a-1)
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
d,g,Q=d+aj,g+aj,Q+1
local U,n,F,B=b.definition,0,nil,nil
if i<ao then
F=d==0 and 0 or e-h+ah(d/b.refill_per_ms)
elseif i==ao then
F=d==0 and 0 or e+ah(d/b.rate)*b.period-h
else
F=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if d<16777216 and g==d and not p then
B=R("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bB
elseif g~=d then n,z=n+bE,R("<I7",g)
end
if p then n,z=n+bC,z..R("<I7",p)end
B=R(aG,U,n,e,d)..z
end
local aC=ck("%d",(F<ax and F or ax)+bX)
local bA=cT("PSETEX",KEYS[a],aC,B)
ai=ai or bA.err
end
end
elseif as then
local f,C=1,#N
while f<=C do
local O,cG,bW=f,f,true
if N[f]==cE then O,cG=f+2,f+1+N[f+1]end
for bK=O,cG do
local a=N[bK]
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
bW=bW and r+b.ticks_per_unit<=b.capacity_ticks
end
for bK=O,bW and cG or 0 do
local a=N[bK]
local b=E[a]
local aj=b.kind==bD and 1 or b.ticks_per_unit
aQ[a],aP[a],aH[a]=aQ[a]+aj,aP[a]+aj,true
Q=Q+1
end
f=cG+1
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
B=R("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bB
elseif g~=d then n,z=n+bE,R("<I7",g)
end
if p then n,z=n+bC,z..R("<I7",p)end
B=R(aG,U,n,e,d)..z
end
local aC=ck("%d",(F<ax and F or ax)+bX)
local bA=cT("PSETEX",KEYS[a],aC,B)
ai=ai or bA.err
end
end
end
if as then
if ai then
local B=type(ai)=="table"and ai.err or ai
Q=nil
for k,ci in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bt(B,ci,1,true)then Q=-k end
end
if not Q then error(ai,0)end
end
u[df],u[#u+1]=Q,z and#z/3 or 0
for f=1,z and#z or 0 do u[#u+1]=z[f]end
return u
end
elseif by.lends then
local cu,gx,aX=string.rep,string.sub,table.remove
local fd={[db]=ba,[cZ]=ao,[da]=bD}
local as,ac,u,Q,z,ai=true,nil,{h,0},0,nil,nil
for K,b in ipairs(aW)do
b.base=fd[b.kind]or b.kind
b.unit=b.base==bD and 1 or b.ticks_per_unit
end
local E,aQ,bm,aP,br,cS,aH={},{},{},{},{},{},{}
local cQ,cK,cc={},{},{}
local M={}
for a=1,av do
local b,J=aW[bi and bi[a]or 1],bP[a]
local U,i,d,e,g,p=b.definition,b.base,0,h,0,nil
local j,Y,x=nil,0,0
if not J then
ac=ac or{}
ac[#ac+1]=KEYS[a]
if i>=ao then e=h-(h-(bF and bF[a]or 0))%b.period end
elseif bt(J,U,1,true)==1 then
local f=#U+1
local ar,n=#J-f,nil
if ar>=9 then
n,e,d=ak("<Bi6I3",J,f)
g,f=d,f+10
if n>0 then
local A=n%4
local bv,bu=n%16>=bE,n%32>=bC
if ar<9+2*A+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if A>0 then d,f=ak(A==1 and"<I5"or"<I7",J,f-3)end
g=n%16>=bB and 0 or d
if bv then g,f=ak("<I7",J,f)end
if bu then p,f=ak("<I7",J,f)end
end
end
else
f=nil
end
if f then x=(#J+1-f)/ei end
as=f and(x==0 or n<cY and i~=b.kind and x%1==0 and x<=cz)
if as and x>0 then
cc[a]=gx(J,f)
j={ak(cu(cC,x),cc[a])}
j[#j]=nil
for k=2,#j,S do Y=Y+j[k]end
end
else
as=false
end
if e>h or b.rate==0 or i>=ce then as=false end
if not as then break end
local bK=cA+cB*(a-1)
u[bK+1],u[bK+2],u[bK+3]=d,h-e,d-g
if p then
z=z or{}
local C=#z
z[C+1],z[C+2],z[C+3]=a,p,0
end
if i~=b.kind then
local C=#M+1
M[C]=j and#j/S or 0
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
ad,k=ad-j[k+1]*b.ticks_per_unit,k+S
end
if h>e then d,e=y(ad,d-(h-e)*b.refill_per_ms),h end
g,cS[a]=P(g,d-ad),d
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
cS[a]=r
end
while j and j[1]and j[1]<=h do
Y,cc[a]=Y-j[2],nil
for K=1,S do aX(j,1)end
end
E[a],aQ[a],bm[a],aP[a],br[a]=b,d,e,g,p
cQ[a],cK[a]=j,Y
end
if ac and as and(#ac>aM or T("EXISTS",unpack(ac))>0)then as=false end
if as then
local f,C=1,N and#N or av
while f<=C do
local a,x,ca,w,bo,aw,bq=N and N[f]or f,1,0,0,0,0,0
f=f+1
if a==bQ then
a,x,ca,w,bo,aw,bq=unpack(N,f,f+6)
f=f+7
end
local b,j,Y=E[a],cQ[a],cK[a]
local d,r,g=aQ[a],cS[a],aP[a]
local aj,cd=b.unit,b.ticks_per_unit
if aw+bq>0 then
j,aH[a]=j or{},true
local bj,bz=0,0
for cv=1,aw+bq do
local dQ,o,k=N[f],N[f+1],S
while j[k]and j[k]~=dQ do k=k+S end
if j[k]then
local p=j[k-1]
local bO=P(p,o)
local bn=cv>aw and 0 or bO
j[k-1],Y,bz=bn,Y-p+bn,bz+p-bO
if cv>aw then bj=bj+bO end
for K=1,bn==0 and S or 0 do aX(j,k-2)end
end
f=f+2
end
d,r,g=d-bj*aj,r-bj*cd,g+bz*aj
if bj+bz>0 then cc[a]=nil end
end
local Z=ca==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if r+y(1,x)*cd<=Z then
d,r,g=d+x*aj,r+x*cd,g+x*aj
aH[a],Q=true,Q+1
if bo>0 and b.share then
local bI=h+b.share
if b.base~=ba then bI=P(bI,bm[a]+b.period)end
j=j or{}
local o=0
if bo>0 and#j<S*cz then
local dy=V(b.capacity_ticks/b.ticks_per_unit/2)
o=P(bo,ah(V((b.capacity_ticks-r)/b.ticks_per_unit)/2),dy-Y)
end
if o>0 then
local G,s=o,y(bI,j[#j-2]or bI)
for k=#j,S,-S do
if j[k]==w then
G=G+j[k-1]
for K=1,S do aX(j,k-2)end
end
end
local C=#j
j[C+1],j[C+2],j[C+3]=s,G,w
Y=Y+o
else
o=0
end
if o>0 then cc[a]=nil end
d,r,Q=d+o*aj,r+o*cd,Q+o
end
end
aQ[a],cS[a],aP[a],cQ[a],cK[a]=d,r,g,j,Y
end
for a=1,av do
if aH[a]and not ai then
local b,d,e,g,p=E[a],aQ[a],bm[a],aP[a],br[a]
local U,i,n,F,B=b.definition,b.base,0,nil,nil
local j=cQ[a]
local eB=j and j[1]
if eB and i==ba then
local ad=cK[a]*b.ticks_per_unit
local bg,s=d,e
for k=1,#j,S do
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
local bA
if F<=0 then
bA=cT("DEL",KEYS[a])
else
if d<16777216 and g==d and not p then
B=R("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bB
elseif g~=d then n,z=n+bE,R("<I7",g)
end
if p then n,z=n+bC,z..R("<I7",p)end
B=R(aG,U,n,e,d)..z
end
local aC=ck("%d",(F<ax and F or ax)+bX)
if eB then
B=B..(cc[a]or R(cu(cC,#j/S),unpack(j)))
end
bA=cT("PSETEX",KEYS[a],aC,B)
end
if type(bA)=="table"then ai=bA.err end
end
end
if ai then
local B=type(ai)=="table"and ai.err or ai
Q=nil
for k,ci in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bt(B,ci,1,true)then Q=-k end
end
if not Q then error(ai,0)end
end
u[df],u[#u+1]=Q,z and#z/3 or 0
for f=1,z and#z or 0 do u[#u+1]=z[f]end
for f=1,#M do u[#u+1]=M[f]end
return u
end
end
local E,d,e,g={},{},{},{}
local aa,af,q,au,aU={},{},{},{},{}
local cR,ch,cm,dA={},{},{},{}
local aD,aH={},{}
local bk,dw={},{}
local cb,bT,ex,fc,dq
local co,cp
local function bx(a)
aD[a],d[a],e[a],g[a]=true,-1,h,0
end
local function fz(a,n,f)
local J=bP[a]
if dk(n,cY)~=0 then af[a],f=ak(eb,J,f)end
if dk(n,ed)~=0 then cR[a],f=ak(eg,J,f)end
if dk(n,ec)~=0 then
ch[a]={ak(cx,J,f)}
f=ch[a][4]
end
cm[a]=string.sub(J,f)
end
local bd,bb,bc=d,e,g
local function eu(a,fW)
local J,f,d,e,g,p=bP[a],fW+1,nil,nil,nil,nil
local ar,n=#J-f,nil
if ar>=9 then
n,e,d=ak("<Bi6I3",J,f)
g,f=d,f+10
if n>0 then
local A=n%4
local bv,bu=n%16>=bE,n%32>=bC
if ar<9+2*A+(bv and 7 or 0)+(bu and 7 or 0)then
f=nil
else
if A>0 then d,f=ak(A==1 and"<I5"or"<I7",J,f-3)end
g=n%16>=bB and 0 or d
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
local b,J=aW[bi and bi[a]or 1],bP[a]
E[a]=b
if not J then
ac[#ac+1]=a
else
local fQ=bt(J,b.definition,1,true)==1 and eu(a,#b.definition)
if not fQ or cR[a]or e[a]>h then
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
if ab==bQ then return 1+bp[bQ]+2*(N[f+6]+N[f+7])end
local fP=ab==dh or ab==dc
return 1+bp[ab]+(fP and cV*el or ab==cE and el or 0)
end
end
local aE={}
local function cf(a,i,be)
d[a]=d[a]+be
if i.record and be~=0 then i.record(a,be)end
end
local function fu(a,b,x)
local i,eX=b.algorithm,x*b.counts_per_unit
i.advance(a,b)
cf(a,i,eX)
g[a]=g[a]+eX
end
local function gt(a,b,eQ,gh)
local i,dv=b.algorithm,gh-eQ
i.advance(a,b)
local Z=(i.most_counts and i.most_counts(b)or ax)-d[a]-(aa[a]or 0)
local fU=i.queues and 0 or-g[a]
cf(a,i,y(fU,P(dv*b.counts_per_unit,y(0,Z))))
g[a]=P(y(0,g[a]-eQ*b.counts_per_unit),d[a])
if dv>0 and au[a]then cb(a,b,dv,aZ)end
end
local function fr(a,b,r,cs,f)
local i,eY=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
d[a],e[a],aa[a]=0,i.is_aligned and f-(f-(bF and bF[a]or 0))%b.period or f,nil
cf(a,i,ah(r/eY))
g[a]=V(cs/eY)
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
local dG=aF[db]or aF[cZ]or aF[da]
if dG then aF[ba],aF[ao],aF[bD]=true,true,true end
if at or aF[ba]then
local aq={is_reservable=true}
local function dx(ap,m)
while m~=0 do ap,m=m,ap%m end
return ap
end
function aq.define(b)
local cw=dx(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cw,b.rate/cw
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
if at or aF[bD]then
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
aE[bD]=aL(aA)
end
if at or aF[ce]then
function co(a,b)
return(string.gsub(KEYS[dA[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cj(aB,W)
local H=redis.pcall(aB,W,0,0)
if not H.err then return H end
if not bt(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cp(W,aB,ar)
local H=cj(aB,W)
if not H then return false end
if H[1]and#H[1]~=ar then return false end
if H[1]then T("UNLINK",W)end
return true
end
local function dE(a,c,aB,ar)
local H=cj(aB,c.key)
if not H or H[1]and#H[1]~=ar then return bx(a)end
return H[1]~=nil
end
local function bU(aB,W,bG)
for O=1,#bG,aM do
T(aB,W,unpack(bG,O,P(O+aM-1,#bG)))
end
end
local function aJ(a)
return y(e[a],h)
end
local function dV(dS)
local aK={}
for W in pairs(dS)do aK[#aK+1]=W end
table.sort(aK)
return aK
end
local cX,aY,dg="<i6I7",13,9007199254740992
local aS=32
local bR=aS*aY
local de=1024
local am={has_history=true,keeps_list=true}
local function gc(X,o)
return X>=dg-o and X-(dg-o)or X+o
end
local function bJ(X,du)
return X<du and X-du+dg or X-du
end
local function eM(c,dL)
local B=c.read[dL]
if not B then
B=T("LINDEX",c.key,dL-1)
c.read[dL]=B
end
return B
end
local function bs(c,ae)
local B,dJ=c.tail,(ae-c.pages*aS-1)*aY
if dJ<0 then B,dJ=eM(c,ah(ae/aS)),(ae-1)%aS*aY end
local s,X=ak(cX,B,dJ+1)
return s-c.shift,X
end
local function bM(c,ae)
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
if bJ(c.sum,bM(c,aT))>=o then ay=aT else aI=aT-1 end
end
return ay
end
local function dT(c,az)
c.tail,c.length=az,c.pages*aS+#az/aY
c.sum=c.length>c.head and select(2,bs(c,c.length))or c.base
end
local function ej(c,s,X)
c.tail=c.tail..R(cX,s+c.shift,X)
c.length,c.sum=c.length+1,X
end
function am.open(a,b)
local W=co(a,b)
local dB=q[a]and q[a].key==W and q[a].is_apart
q[a]={
key=W,is_apart=dB,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return q[a]
end
function am.load(a,b)
local c,al,az=am.open(a,b),ch[a],cm[a]or""
if#az%aY~=0 then return bx(a)end
if al then
c.pages,c.head,c.shift=al[1],al[2],al[3]
c.is_apart,c.stored=c.pages>0,c.pages
end
if c.is_apart and not dE(a,c,"LRANGE",bR)then
c.is_apart,c.pages,c.head,c.stored=false,0,0,0
az=R(cX,e[a]+c.shift,d[a])
end
dT(c,az)
c.base=bJ(c.sum,d[a])
end
local function cI(a,b)
local c,bh=q[a],aJ(a)-b.period
if c.over~=bh then c.over,c.last_over=bh,eG(c,bh)end
return c.last_over
end
function am.used(a,b)
local c=q[a]
return bJ(c.sum,bM(c,cI(a,b)))
end
function am.advance(a,b)
local c,bh=q[a],cI(a,b)
c.base=bM(c,bh)
c.head=bh
d[a]=bJ(c.sum,c.base)
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
local dZ=y(0,ah(ae/aS)-1)
local az=ae>0 and string.sub(eM(c,dZ+1),1,(ae-dZ*aS)*aY)or""
c.pages=dZ
return dT(c,az)
end
dT(c,string.sub(c.tail,1,(ae-c.pages*aS)*aY))
end
local function gz(a,o)
local c=q[a]
local C,X=eF(c,o),bJ(c.sum,o)
c.cuts[C],c.cuts[C+1]=true,true
local s=C<c.length and X~=bM(c,C)and bs(c,C+1)
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
local c,ae=q[a],cI(a,b)
local p,Z=bM(c,ae),am.used(a,b)+o-b.capacity_ticks
while ae<c.length and bJ(bM(c,ae),p)<Z do
ae=ae+1
c.cuts[ae]=true
end
bk[a].is_whole=ae==c.length
if not bk[a].is_whole then am.note(a,b,-1)end
end
function am.see(a,b)
local c,bh=q[a],cI(a,b)
bk[a]={
key=c.key,pages=c.pages,head=bh,base=bM(c,bh),length=c.length,shift=c.shift,
tail=c.tail,read=c.read,cuts=c.cuts,
}
end
function am.show(a,u)
local M,x=bk[a],#u+1
local X,bl=M.base,0
if M.length>M.head then M.cuts[M.head+1],M.cuts[M.length]=true,true end
u[x]=0
for K,ae in ipairs(dV(M.cuts))do
if ae>M.head and ae<=M.length then
local s,ct=bs(M,ae)
u[#u+1],u[#u+2]=s,bJ(ct,X)
X,bl=ct,bl+1
end
end
u[x]=M.is_whole and bl or-bl
end
function am.divide(a)
local c=q[a]
if c.length==c.head then c.pages,c.head,c.tail,c.shift=0,0,"",0 end
c.dropped=P(V(c.head/aS),c.pages,de)
c.kept=c.pages-c.dropped
local dz,az,cP=c.head-c.dropped*aS,c.tail,{}
if c.kept==0 then dz,az=0,string.sub(az,dz*aY+1)end
local dC=nil
while#az>bR do
if dC==nil then dC=c.is_apart or cp(c.key,"LRANGE",bR)end
if not dC then break end
cP[#cP+1],az=string.sub(az,1,bR),string.sub(az,bR+1)
end
c.pushed=cP
local eN=c.kept+#cP
return(eN>0 or c.shift~=0)and R(cx,eN,dz,c.shift)or"",az
end
function am.write(a,aC)
local c=q[a]
if c.is_apart and c.kept==0 then T("UNLINK",c.key)
elseif c.is_apart and(c.dropped>0 or c.pages<c.stored)then
T("LTRIM",c.key,c.dropped,c.pages-1)
end
bU("RPUSH",c.key,c.pushed)
if c.kept+#c.pushed>0 then T("PEXPIRE",c.key,aC)end
end
function am.rewind(a,an)
q[a].shift,q[a].over=q[a].shift+an,nil
end
aE[ce]=aL(am)
local gs=am.keep
function am.keep(a,b,v)
if not gs(a,b,v)then return false end
dq(a,b,"LRANGE",bR)
return true
end
end
if at or aF[ee]then
local aq={is_reservable=true}
local function dx(ap,m)
while m~=0 do ap,m=m,ap%m end
return ap
end
function aq.define(b)
local cw=dx(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cw,b.rate/cw
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
if at or aF[cW]then
function co(a,b)
return(string.gsub(KEYS[dA[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cj(aB,W)
local H=redis.pcall(aB,W,0,0)
if not H.err then return H end
if not bt(H.err,"WRONGTYPE",1,true)then error(H.err)end
end
function cp(W,aB,ar)
local H=cj(aB,W)
if not H then return false end
if H[1]and#H[1]~=ar then return false end
if H[1]then T("UNLINK",W)end
return true
end
local function dE(a,c,aB,ar)
local H=cj(aB,c.key)
if not H or H[1]and#H[1]~=ar then return bx(a)end
return H[1]~=nil
end
local function bU(aB,W,bG)
for O=1,#bG,aM do
T(aB,W,unpack(bG,O,P(O+aM-1,#bG)))
end
end
local function aJ(a)
return y(e[a],h)
end
local function dV(dS)
local aK={}
for W in pairs(dS)do aK[#aK+1]=W end
table.sort(aK)
return aK
end
local cy,dd,cD="<I7B",8,35184372088832
local de=128
local function bL(A,s)
return ck("%.0f",(A-1)*cD+s)
end
local function dt(o,dY)
local A=1
while o>0 do
if o%2==1 then dY(A)end
o,A=V(o/2),A+1
end
end
local function fv(c,s)
local o,fq=0,y(0,c.floor+c.shift+1)
for A=1,c.sizes do
local aN=T("ZCOUNT",c.key,bL(A,fq),bL(A,s+c.shift))
o=o+2^(A-1)*aN
end
return o
end
local function gg(c,w)
local aN={}
for A=1,c.sizes do aN[A]=R(cy,w,A)end
local l={units=0,id=w}
for A,B in ipairs(#aN>0 and T("ZMSCORE",c.key,unpack(aN))or{})do
if B then
l.units=l.units+2^(A-1)
l.instant=tonumber(B)-(A-1)*cD-c.shift
end
end
return l.units>0 and l or nil
end
local function gu(c,aV)
for A=1,c.sizes do
local O,C,aO=bL(A,aV+c.shift),bL(A+1,-1),{}
for K,fY in ipairs(T("ZRANGEBYSCORE",c.key,"("..O,C))do
aO[#aO+1],aO[#aO+2]=O,fY
end
bU("ZADD",c.key,aO)
end
end
local function gf(c)
local dm,G,H={},{},T("ZRANGE",c.key,0,-1,"WITHSCORES")
for f=1,#H,2 do
local w,A=ak(cy,H[f])
local l=dm[w]or{units=0,id=w}
l.instant=tonumber(H[f+1])-(A-1)*cD-c.shift
l.units=l.units+2^(A-1)
if not dm[w]then dm[w],G[#G+1]=l,l end
end
return G
end
local function gE(c,gk,cg)
local aN,aO={},{}
for w,l in pairs(gk)do
dt(l.units,function(A)aN[#aN+1]=R(cy,w,A)end)
end
for K,l in pairs(cg)do
dt(l.units,function(A)
aO[#aO+1],aO[#aO+2]=bL(A,l.instant+c.shift),R(cy,l.id,A)
end)
end
bU("ZREM",c.key,aN)
bU("ZADD",c.key,aO)
return#aO/2
end
local function fE(c,cg)
local aw=de+cg
for A=1,c.sizes do
local O,C=bL(A,0),bL(A,y(-1,c.floor+c.shift))
local aN=aw>0 and T("ZRANGEBYSCORE",c.key,O,C,"LIMIT",0,aw)or{}
bU("ZREM",c.key,aN)
aw=aw-#aN
end
end
local ef,ff="<i6I4I7",17
local fi=-cD
local fg=16
local L={holds_leases=true,keeps_list=true}
function L.open(a,b)
local W=co(a,b)
local dB=q[a]and q[a].key==W and q[a].is_apart
q[a]={
key=W,is_apart=dB,shift=0,cuts={},kept={},sizes=0,floor=fi,
found={},removed={},added={},
}
return q[a]
end
function L.load(a,b)
local c,al,B=L.open(a,b),ch[a],cm[a]or""
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
if dE(a,c,"ZRANGE",dd)or aD[a]then return end
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
local function dr(G,c,s)
local o=0
for K,l in pairs(G)do
if l.instant>c.floor and l.instant<=s then o=o+l.units end
end
return o
end
local function et(c,s)
return es(c,s)-dr(c.removed,c,s)+dr(c.added,c,s)
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
local function cf(a,w,o,s)
local c=q[a]
local p=aX(c,w)
c.added[w]={instant=s,units=p+o,id=w}
end
function L.charge(a,b,o,w)
L.advance(a)
e[a]=aJ(a)
cf(a,w,o,e[a]+b.period)
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
dq(a,b,"ZRANGE",dd)
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
local function dN(a,w,x)
L.advance(a)
local c=q[a]
local l=ez(c,w)
if not l or l.units~=x then return false end
d[a]=d[a]-aX(c,w)
return true
end
local function eP(a,b,w,x)
local cn=dN(a,w,x)
if cn then L.charge(a,b,x,w)end
return cn
end
local function ew(a,dY)
for K,m in ipairs(au[a]or{})do
if E[m].algorithm==L then dY(m,E[m])end
end
end
function L.release(a,K,w,x)
ew(a,function(m)dN(m,w,x)end)
dN(a,w,x)
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
local cn=l.instant>c.floor and not c.removed[l.id]
if cn then o=o-l.units end
if cn and o<=0 then return l.instant end
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
local M,x,bl,X,cr=bk[a],#u+1,0,0,1
local dF=ga(M)
local function eS(s,o,w)
u[#u+1],u[#u+2],u[#u+3]=s,o,w
bl=bl+1
end
u[x],M.cuts[M.latest]=0,true
for K,bV in ipairs(dV(M.cuts))do
if bV>M.floor and bV<=M.latest then
local ct=bV==M.latest and M.used or es(M,bV)
local D=ct-X
while dF[cr]and dF[cr].instant<=bV do
local l=dF[cr]
eS(l.instant,l.units,l.id)
D,cr=D-l.units,cr+1
end
if D>0 then eS(bV,D,-1-bl)end
X=ct
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
if not c.kept and d[a]==dr(c.added,c,math.huge)then c.kept,c.shift={},0 end
if c.kept then
local G=ad(c)
if#G<=fg or not(c.is_apart or cp(c.key,"ZRANGE",dd))then
for k,l in ipairs(G)do H[k]=R(ef,l.instant,l.units,l.id)end
return"",table.concat(H)
end
c.moved=G
end
for K,l in pairs(c.moved or c.added)do
dt(l.units,function(A)c.sizes=y(c.sizes,A)end)
end
return R(cx,c.sizes,c.floor,c.shift),""
end
function L.write(a,aC)
local c=q[a]
if c.kept and c.is_apart then T("UNLINK",c.key)end
if c.kept and not c.moved then return end
local cg=gE(c,c.removed,c.moved or c.added)
if not c.kept then fE(c,cg)end
T("PEXPIRE",c.key,aC)
end
aE[cW]=L
end
if at or dG then
local cu,aX=string.rep,table.remove
local gC,gv=d,e
local function cO(a)
return y(e[a],h)
end
local function cM(a,an)
local j={unpack(q[a].shares)}
for k=1,#j,S do j[k]=j[k]-an end
q[a]={shares=j}
return j
end
local function ev(a)
local j,s=q[a].shares,cO(a)
if not j[1]or j[1]>s then return end
j=cM(a,0)
while j[1]and j[1]<=s do
for K=1,S do aX(j,1)end
end
end
local function cU(a,s)
local j,o=q[a].shares,0
for k=1,#j,S do
if j[k]>s then o=o+j[k+1]end
end
return o
end
local function cs(a)
q[a]={shares={}}
end
local function fX(a)
local B=cm[a]or""
local x=#B/ei
if x%1~=0 or x>cz then return bx(a)end
local j={ak(cu(cC,x),B)}
j[#j]=nil
q[a]={shares=j}
end
local function fC(a)
local j=q[a].shares
return"",R(cu(cC,#j/S),unpack(j))
end
local function gr(a)
bk[a]=q[a].shares
end
local function dU(a,u)
local j,f=bk[a],#u+1
u[f]=#j/S
for k=1,#j do u[f+k]=j[k]end
end
local function fJ(a,b)
if cU(a,cO(a))==0 then return false end
b.algorithm.advance(a,b)
d[a],aa[a],g[a]=cU(a,0)*b.counts_per_unit,nil,0
return true
end
local function dO(a,b,f,aw,bq)
b.algorithm.advance(a,b)
local j,Y=cM(a,0),0
local bj,bz=0,0
for cv=1,aw+bq do
local dQ,o,k=N[f],N[f+1],S
while j[k]and j[k]~=dQ do k=k+S end
if j[k]then
local p=j[k-1]
local bO=P(p,o)
local bn=cv>aw and 0 or bO
j[k-1],Y,bz=bn,Y-p+bn,bz+p-bO
if cv>aw then bj=bj+bO end
for K=1,bn==0 and S or 0 do aX(j,k-2)end
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
local j,Y,r=cM(a,0),cU(a,0),i.used(a,b)
local bI=i.lent_until(a,b)
local o=0
if bo>0 and#j<S*cz then
local dy=V(b.capacity_ticks/b.ticks_per_unit/2)
o=P(bo,ah(V((b.capacity_ticks-r)/b.ticks_per_unit)/2),dy-Y)
end
if o>0 then
local G,s=o,y(bI,j[#j-2]or bI)
for k=#j,S,-S do
if j[k]==w then
G=G+j[k-1]
for K=1,S do aX(j,k-2)end
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
local function dH(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cs,fX,fC,gr,dU,cM
i.forget,i.report,i.lend=fJ,dO,fV
return aL(i)
end
local aq={base=aE[ba],is_reservable=true,define=aE[ba].define}
local function dl(a,b)
local d,e,j=gC[a],gv[a],q[a].shares
local ad=cU(a,0)*b.ticks_per_unit
local k,aJ=1,y(h,e)
while k<#j and j[k]<=aJ do
local s=j[k]
if s>e then
d,e=y(ad,d-(s-e)*b.refill_per_ms),s
end
ad,k=ad-j[k+1]*b.ticks_per_unit,k+S
end
if h>e then d,e=y(ad,d-(h-e)*b.refill_per_ms),h end
return d,e,ad
end
function aq.used(a,b)
return(dl(a,b))
end
function aq.advance(a,b)
local ad
d[a],e[a],ad=dl(a,b)
g[a]=P(g[a],d[a]-ad)
ev(a)
end
function aq.reset_after(a,b)
local j,F=q[a].shares,nil
local d,e,ad=dl(a,b)
local bg,s=d,e
for k=1,#j,S do
if j[k]>e then
bg=y(ad,bg-(j[k]-s)*b.refill_per_ms)
s,ad=j[k],ad-j[k+1]*b.ticks_per_unit
end
end
F=bg<=0 and 0 or s+ah(bg/b.refill_per_ms)-h
return F
end
function aq.lent_until(a,b)
return cO(a)+b.share
end
local function eH(aA)
local i=setmetatable({base=aA},{__index=aA})
function i.advance(a,b)
aA.advance(a,b)
ev(a)
end
function i.lent_until(a,b)
return P(cO(a)+b.share,e[a]+b.period)
end
return i
end
aE[db]=dH(aq)
aE[cZ]=dH(eH(aE[ao]))
aE[da]=dH(eH(aE[bD]))
end
for K,b in ipairs(aW)do em(b)end
local eE=at or aF[ce]or aF[cW]or dG
for O=1,#ac,aM do
local C,aK=P(O+aM-1,#ac),{}
for k=O,C do aK[#aK+1]=KEYS[ac[k]]end
if T("EXISTS",unpack(aK))>0 then
for k=O,C do
if T("EXISTS",KEYS[ac[k]])==1 then bx(ac[k])end
end
end
end
for K,a in ipairs(ac)do
if not aD[a]then E[a].algorithm.begin(a,E[a],0,0,h)end
end
if at then
local fh=7
local function dM(U)
local ea={}
for gD in string.gmatch(U or"","[^,\\n]+")do ea[#ea+1]=tonumber(gD,36)or false end
local i,aL,cN,dn,cF=unpack(ea)
local bS=aE[i]
if not(bS and aL and cN)then return nil end
dn=dn or aL
local b=eO(U,i,aL,cN,1,0,0,0)
if bS.define then bS.define(b)end
b.capacity_ticks=dn*b.ticks_per_unit
if bS.is_reservable and aL>0 then
local Z=(bS.most_counts and bS.most_counts(b)or ax)-b.capacity_ticks
b.debt_ticks=cF and P(cF*b.ticks_per_unit,Z)or Z
end
em(b)
return b
end
local cJ=av
local function dI(a)
cJ=cJ+1
dA[cJ]=a
return cJ
end
local function fB(a,B)
au[a]={}
for k,gw in ipairs(cmsgpack.unpack(B))do
local m,U,al=dI(a),nil,nil
U,d[m],e[m],g[m],aa[m],aU[m],al,cm[m]=
unpack(gw)
if aa[m]==0 then aa[m]=nil end
local b=assert(dM(U))
E[m],au[a][k]=b,m
if al~=""then ch[m]={ak(cx,al)}end
if b.algorithm.load then b.algorithm.load(m,b)end
assert(not aD[m])
end
end
function ex(a)
local G,aV={},h
for k,m in ipairs(au[a])do
local b,al,cl=E[m],"",""
aV=y(aV,aU[m])
if b.algorithm.divide then al,cl=b.algorithm.divide(m)end
G[k]={
b.definition,d[m],e[m],g[m],aa[m]or 0,aU[m],al,cl,
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
local v=dM(string.match(bP[a],"^[^\\n]*\\n"))
if not v or not eu(a,#v.definition)then return nil end
if cR[a]and not pcall(fB,a,cR[a])then return nil end
return v
end
local function dp(r,v,b)
if v.ticks_per_unit==b.ticks_per_unit then return r end
local o=V(r/v.ticks_per_unit)
local gm=(r-o*v.ticks_per_unit)/v.ticks_per_unit
return o*b.ticks_per_unit+P(b.ticks_per_unit,ah(gm*b.ticks_per_unit))
end
local function eJ(r,v,b)
return b.capacity_ticks+P(dp(y(0,r-v.capacity_ticks),v,b),b.debt_ticks)
end
local function go(ap,m)
return(ap.base or ap)==(m.base or m)
end
local function fZ(a,b,v)
local cL,cq=v.algorithm,b.algorithm
if go(cL,cq)and cq.keep(a,b,v)then
if cL.base or cq.base then q[a]=cq.base and{shares={}}or nil end
return
end
cL.advance(a,v)
local r=cL.used(a,v)
local bw=P(dp(r,v,b),eJ(r,v,b))
local cs=P(bw,dp(g[a]*v.ticks_per_unit/v.counts_per_unit,v,b))
q[a]=nil
cq.begin(a,b,bw,cs,y(h,e[a]))
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
function dq(a,b,ge,ar)
local c=q[a]
local bf=er(c,{key=co(a,b),is_beside=false,cuts={},found={},removed={},added={}})
q[a]=bf
if not bf.is_apart or bf.key==c.key then return end
if not cp(bf.key,ge,ar)then return bx(a)end
T(c.is_beside and"COPY"or"RENAME",c.key,bf.key)
end
local function ep(a,v,b)
local m=dI(a)
E[m],q[m]=v,q[a]
if q[a]then
q[a].is_beside=true
q[a]=er(q[a],{})
end
eq(a,m)
aU[m]=P(h+y(v.algorithm.reset_after(m,v),eI(v),eI(b)),ax)
return m
end
local function dP(a,b)
if e[a]-h<b.period then return 0 end
local ab=b.algorithm.is_aligned and b.period or 1
local an=V((e[a]-h)/ab)*ab
e[a],af[a]=e[a]-an,af[a]and y(0,af[a]-an)
if q[a]then b.algorithm.rewind(a,an)end
return an
end
local function ds(D)
local bw={}
for K,m in ipairs(D or{})do
aU[m]=aU[m]-dP(m,E[m])
if aU[m]>h then bw[#bw+1]=m end
end
return bw
end
local eh="1,0,eiz5s00,gjdgxs\\n"
local function dK(D)
for k,m in ipairs(D or{})do
if E[m].definition==eh then return m,k end
end
end
local function gb(a)
local ag=dI(a)
E[ag]=dM(eh)
d[ag],e[ag],aa[ag],g[ag],aU[ag]=0,h,0,0,0
return ag
end
local function fp(a,v,D)
local ag,k=dK(D)
if ag then table.remove(D,k)else ag=gb(a)end
local r,bY=v.algorithm.used(a,v),v.ticks_per_unit
d[ag]=y(d[ag],ah(r/bY))
aa[ag]=y(aa[ag]or 0,ah((r-v.capacity_ticks)/bY))
aU[ag]=y(aU[ag],P(h+v.algorithm.reset_after(a,v),ax))
D[#D+1]=ag
end
local function fx(a,b)
local ag=dK(au[a])
if not ag then return end
local i,bY=b.algorithm,b.ticks_per_unit
local cF=P((aa[ag]or 0)*bY,b.debt_ticks)
local r=P(d[ag]*bY,b.capacity_ticks+cF)
local eR=r-i.used(a,b)
if eR<=0 then return end
if i.holds_leases then return i.charge(a,b,eR,h)end
i.advance(a,b)
i.begin(a,b,r,g[a]*bY/b.counts_per_unit,y(h,e[a]))
end
local function gA(a,b,v,D)
local K,ag=dK(D)
if v.algorithm.reset_after(a,v)>0 then
local fN=#D-(ag and 1 or 0)>=fh
if fN then fp(a,v,D)
else D[#D+1]=ds({ep(a,v,b)})[1]end
end
au[a]=#D>0 and D or nil
fZ(a,b,v)
fx(a,b)
end
local function gy(a,b,v,D,fT)
dP(a,v)
local m=table.remove(D,fT)
D[#D+1]=ep(a,v,b)
au[a]=D
eq(m,a)
q[a]=q[m]
end
local function ft(a,b,v)
local D=ds(au[a])
for k,m in ipairs(D)do
if E[m].definition==b.definition then return gy(a,b,v,D,k)end
end
gA(a,b,v,D)
end
function bT(a,b)
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
dP(a,b)
bT(a,b)
aH[a]=true
end
function cb(a,b,x,l)
local D=ds(au[a])
au[a]=#D>0 and D or nil
local r=b.algorithm.used(a,b)
for K,m in ipairs(D)do
local bN,o=E[m],x
if l==aZ or not bN.algorithm.holds_leases then
local gn=eJ(r,b,bN)-bN.algorithm.used(m,bN)
o=P(x,V(gn/bN.ticks_per_unit))
end
if o>0 then bN.algorithm.charge(m,bN,o,l~=aZ and l or h)end
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
local f=cA+cB*(a-1)
local cH,dD=d[a],g[a]
if E[a].algorithm.note and not aD[a]then
cH=E[a].algorithm.used(a,E[a])
dD=P(dD,cH)
end
u[f+1],u[f+2],u[f+3]=cH,h-e[a],cH-dD
end
local dj=#u+1
u[dj]=0
if next(aa)or next(af)then
for a=1,av do
if aa[a]or af[a]then
local f=#u
u[dj]=u[dj]+1
u[f+1],u[f+2],u[f+3]=a,aa[a]or 0,af[a]or 0
end
end
end
local Q=0
local function eA(a,b,r,Z)
local fL=af[a]and af[a]>h
return not fL and b.algorithm.used(a,b)+r<=Z
end
local function bW(a,b,r,Z)
if at then bT(a,b)end
if aD[a]then return false end
if eA(a,b,r,Z)then return true end
local i=b.algorithm
if i.note then i.note(a,b,Z-r)end
return false
end
local function dW(a,b,x,l)
b.algorithm.charge(a,b,x,l)
if au[a]then cb(a,b,x,l)end
aH[a]=true
end
local function eW(a)
local b=E[a]
if not bW(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
dW(a,b,1,aZ)
Q=Q+1
end
if not N then
for a=1,av do eW(a)end
else
local function ek(f,aR)
if aR==1 then return N[f],1,0,0,aZ end
return unpack(N,f,f+aR-1)
end
local function dX(O,C,aR,fO)
local di=not fO
for f=O,C,aR do
local a,x,ca,fK=ek(f,aR)
local b=E[a]
local Z=ca==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
di=bW(a,b,y(1,x)*b.ticks_per_unit+fK,Z)and di
end
for f=O,di and C or 0,aR do
local a,x,K,K,l=ek(f,aR)
if x>0 then dW(a,E[a],x,l)end
Q=Q+1
end
end
local function dU(a,o)
local i=E[a].algorithm
if i.note_each and not aD[a]then i.note_each(a,E[a],o)end
end
local function bH(a,b,i,an)
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
else dw[#dw+1]=q[m]
end
end
au[a]=#Y>0 and Y or nil
if not eV(a,b)then i.begin(a,b,0,0,h)end
end
local function be(ab,a,O,dR)
local b=E[a]
local i=b.algorithm
if aD[a]then return end
if at then bT(a,b)end
if ab==fm then i.settle(a,b,O,dR)
elseif ab==fl then gl(a,b,i)
elseif ab==fe then bH(a,b,i,O)
elseif ab==fo then af[a]=nil
elseif ab==fj and i.holds_leases then i.release(a,b,O,dR)
elseif ab==fk and i.holds_leases then i.renew(a,b,O,dR)
end
if at then bT(a,b)end
aH[a]=true
end
local function fD(f)
local a,x,ca,w,bo,aw,bq=unpack(N,f+1,f+bp[bQ])
local b=E[a]
local i=b.algorithm
if aD[a]then return end
if at then bT(a,b)end
if aw+bq>0 then
local dO=i.report or i.advance
dO(a,b,f+1+bp[bQ],aw,bq)
aH[a]=true
end
local Z=ca==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not eA(a,b,y(1,x)*b.ticks_per_unit,Z)then return end
if x>0 then dW(a,b,x,aZ)end
local o=i.lend and i.lend(a,b,w,bo)or 0
if o>0 and au[a]then cb(a,b,o,aZ)end
aH[a],Q=true,Q+1+o
end
local f,C=1,#N
while f<=C do
local ab,aR=N[f],fb(f)
if ab>0 then eW(ab)
elseif ab==dh then dX(f+1+bp[dh],f+aR-1,cV)
elseif ab==cE then dX(f+1+bp[cE],f+aR-1,1)
elseif ab==dc then dX(f+1+bp[dc],f+aR-1,cV,true)
elseif ab==bQ then fD(f)
elseif ab==fn then dU(N[f+1],N[f+2])
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
local p,bH,n,bZ,B,al,cl=aa[a],af[a]or 0,0,"",nil,"",""
local i=E[a].algorithm
if i.divide then al,cl=i.divide(a)end
if bH~=0 then n,bZ=cY,R(eb,bH)end
if D~=""then n,bZ=n+ed,bZ..R(eg,#D,D)end
if al~=""then n,bZ=n+ec,bZ..al end
if d<16777216 and g==d and not p then
B=R("<c0Bi6I3",U,n,e,d)
else
local aG,z="<c0Bi6I3",""
if d>=1099511627776 then aG,n="<c0Bi6I7",n+2
elseif d>=16777216 then aG,n="<c0Bi6I5",n+1
end
if g~=d and g==0 then n=n+bB
elseif g~=d then n,z=n+bE,R("<I7",g)
end
if p then n,z=n+bC,z..R("<I7",p)end
B=R(aG,U,n,e,d)..z
end
return B..bZ..cl
end
local function gp(a)
local b,W,D,fa=E[a],KEYS[a],"",0
local p,bH=aa[a]or 0,af[a]or 0
local F=b.algorithm.reset_after(a,b)
if au[a]then D,fa=ex(a)end
F=y(F,bH-h,fa)
if not(F>0 or bX>0 and(d[a]>0 or p>0 or bH>0))then
if q[a]and q[a].is_apart then T("UNLINK",q[a].key)end
return T("DEL",W)
end
local aC=ck("%d",(F<ax and F or ax)+bX)
T("PSETEX",W,aC,fF(a,D))
if b.algorithm.write then b.algorithm.write(a,aC)end
if au[a]then fc(a,aC)end
end
local function gq()
for a=1,av do
if aH[a]and not aD[a]then gp(a)end
end
for K,c in ipairs(dw)do
if c.is_apart then T("UNLINK",c.key)end
end
end
local fR,ai=pcall(gq)
if not fR then
local B=type(ai)=="table"and ai.err or ai
Q=nil
for k,ci in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bt(B,ci,1,true)then Q=-k end
end
if not Q then error(ai,0)end
end
u[df]=Q
return u
`,
} as const;
