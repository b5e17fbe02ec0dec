/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "f893a007074489fc1913db5cd75b81898b88c76f",
  source: `local R,ak,cj,bo,gy=struct.pack,struct.unpack,string.format,string.find,string.byte
local Q,dO,O,z,W,ag=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local au=4503599627370496
local aO=4000
local ba=0
local bb,an,bz,cb,dV,cP,cU,cS,cT,db,fe,fd,eW,fg,fb,fc,ca,cB,cV,ff,cO,cx,cy,gx,gv,gw,cZ=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,3,3,2,3,2
local i,bT=tonumber(ARGV[3]),3600000
if not i then
local eR=Q("TIME")
i,bT=eR[1]*1000+W(eR[2]/1000),0
end
local bw,bA,by,cR,dU,dT=4,8,16,32,64,128
local dS="<I7"
local dX="<I4c0"
local cv="<I4i7i6"
local cz,dZ,cY="<i6I4I7",17,256
local de=bit.band
local function eF(S,h,aN,cI,aI,aX,fk,fq,bY)
return{
definition=S,kind=h,rate=aN,period=cI,ticks_per_unit=aI,
refill_per_ms=aX,capacity_ticks=fk,debt_ticks=fq,share=bY,
}
end
local aV,bu=cjson.decode(ARGV[1]),nil
for o=1,#aV do aV[o]=eF(unpack(aV[o]))end
if ARGV[2]and ARGV[2]~=""then bu=cjson.decode(ARGV[2])end
local at=#KEYS
local bM=Q("MGET",unpack(KEYS,1,O(at,aO)))
for P=aO+1,at,aO do
local eg=Q("MGET",unpack(KEYS,P,O(P+aO-1,at)))
for o=1,#eg do bM[P+o-1]=eg[o]end
end
local bj,bB,N
if bu then bj,bB,N=bu.owners,bu.anchors,bu.steps end
if not bu or bu.takes_units then
local aq,ab,t,V,B,ai=true,nil,{i,0},0,nil,nil
local bm,E,aK,bl,aJ,aG={},nil,nil,nil,nil,nil
if N then E,aK,bl,aJ,aG={},{},{},{},{}end
for a=1,at do
local b,I=aV[bj and bj[a]or 1],bM[a]
local S,d,e,g,p=b.definition,0,i,0,nil
if not I then
ab=ab or{}
ab[#ab+1]=KEYS[a]
if b.kind>=an then e=i-(i-(bB and bB[a]or 0))%b.period end
elseif bo(I,S,1,true)==1 then
local f=#S+1
local ap,m=#I-f,nil
if ap>=9 then
m,e,d=ak("<Bi6I3",I,f)
g,f=d,f+10
if m>0 then
local C=m%4
local bq,bp=m%16>=bA,m%32>=by
if ap<9+2*C+(bq and 7 or 0)+(bp and 7 or 0)then
f=nil
else
if C>0 then d,f=ak(C==1 and"<I5"or"<I7",I,f-3)end
g=m%16>=bw and 0 or d
if bq then g,f=ak("<I7",I,f)end
if bp then p,f=ak("<I7",I,f)end
end
end
else
f=nil
end
if f~=#I+1 then aq=false end
else
aq=false
end
if e>i or b.rate==0 or b.kind>=cb then aq=false end
if not aq then break end
local f=cx+cy*(a-1)
t[f+1],t[f+2],t[f+3]=d,i-e,d-g
if p then
bm[a],B=p,B or{}
local H=#B
B[H+1],B[H+2],B[H+3]=a,p,0
end
if N then E[a],aK[a],bl[a],aJ[a]=b,d,e,g end
end
if ab and aq and(#ab>aO or Q("EXISTS",unpack(ab))>0)then aq=false end
if aq and not N then
for a=1,at do
local b,f=aV[bj and bj[a]or 1],cx+cy*(a-1)
local h,d,e,p=b.kind,t[f+1],i-t[f+2],bm[a]
local g=d-t[f+3]
local r,aj
if h<an then
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif h==an then
local u=i-e
if u>=b.period then
local J=W(u/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local u=i-e
if u>=b.period then
local J=W(u/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
aj=1
end
if r+b.ticks_per_unit<=b.capacity_ticks then
d,g,V=d+aj,g+aj,V+1
local S,m,G,A=b.definition,0,nil,nil
if h<an then
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
elseif h==an then
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
else
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
end
if d<16777216 and g==d and not p then
A=R("<c0Bi6I3",S,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,R("<I7",g)
end
if p then m,B=m+by,B..R("<I7",p)end
A=R(aE,S,m,e,d)..B
end
local aA=cj("%d",(G<au and G or au)+bT)
local cu=dO("PSETEX",KEYS[a],aA,A)
ai=ai or cu.err
end
end
elseif aq then
local f,H=1,#N
while f<=H do
local P,cD,bS=f,f,true
if N[f]==cB then P,cD=f+2,f+1+N[f+1]end
for dE=P,cD do
local a=N[dE]
local b,d,e,g,p=E[a],aK[a],bl[a],aJ[a],bm[a]
local h=b.kind
local r,aj
if h<an then
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif h==an then
local u=i-e
if u>=b.period then
local J=W(u/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local u=i-e
if u>=b.period then
local J=W(u/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
aj=1
end
aK[a],bl[a],aJ[a],bm[a]=d,e,g,p
bS=bS and r+b.ticks_per_unit<=b.capacity_ticks
end
for dE=P,bS and cD or 0 do
local a=N[dE]
local b=E[a]
local aj=b.kind==bz and 1 or b.ticks_per_unit
aK[a],aJ[a],aG[a]=aK[a]+aj,aJ[a]+aj,true
V=V+1
end
f=cD+1
end
for a=1,at do
if aG[a]then
local b,d,e,g,p=E[a],aK[a],bl[a],aJ[a],bm[a]
local h=b.kind
local S,m,G,A=b.definition,0,nil,nil
if h<an then
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
elseif h==an then
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
else
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
end
if d<16777216 and g==d and not p then
A=R("<c0Bi6I3",S,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,R("<I7",g)
end
if p then m,B=m+by,B..R("<I7",p)end
A=R(aE,S,m,e,d)..B
end
local aA=cj("%d",(G<au and G or au)+bT)
local cu=dO("PSETEX",KEYS[a],aA,A)
ai=ai or cu.err
end
end
end
if aq then
if ai then
local A=type(ai)=="table"and ai.err or ai
V=nil
for o,cf in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bo(A,cf,1,true)then V=-o end
end
if not V then error(ai,0)end
end
t[cZ],t[#t+1]=V,B and#B/3 or 0
for f=1,B and#B or 0 do t[#t+1]=B[f]end
return t
end
elseif bu.lends then
local eV={[cU]=bb,[cS]=an,[cT]=bz}
local aL=3
local eH,go,bW=string.rep,string.sub,table.remove
local aq,ab,t,V,B,ai=true,nil,{i,0},0,nil,nil
for M,b in ipairs(aV)do
b.base=eV[b.kind]or b.kind
b.unit=b.base==bz and 1 or b.ticks_per_unit
end
local E,aK,bl,aJ,bm,bJ,aG={},{},{},{},{},{},{}
local cL,bF,bZ={},{},{}
local L={}
for a=1,at do
local b,I=aV[bj and bj[a]or 1],bM[a]
local S,h,d,e,g,p=b.definition,b.base,0,i,0,nil
local k,ac=nil,0
if not I then
ab=ab or{}
ab[#ab+1]=KEYS[a]
if h>=an then e=i-(i-(bB and bB[a]or 0))%b.period end
elseif bo(I,S,1,true)==1 then
local f=#S+1
local ap,m=#I-f,nil
if ap>=9 then
m,e,d=ak("<Bi6I3",I,f)
g,f=d,f+10
if m>0 then
local C=m%4
local bq,bp=m%16>=bA,m%32>=by
if ap<9+2*C+(bq and 7 or 0)+(bp and 7 or 0)then
f=nil
else
if C>0 then d,f=ak(C==1 and"<I5"or"<I7",I,f-3)end
g=m%16>=bw and 0 or d
if bq then g,f=ak("<I7",I,f)end
if bp then p,f=ak("<I7",I,f)end
end
end
else
f=nil
end
if not f then
aq=false
elseif f<=#I then
local y=(#I+1-f)/dZ
if m>=cR or h==b.kind or y%1~=0 or y>cY then
aq=false
break
end
bZ[a]=go(I,f)
k={ak(eH(cz,y),bZ[a])}
k[#k]=nil
for o=2,#k,aL do ac=ac+k[o]end
end
else
aq=false
end
if e>i or b.rate==0 or h>=cb then aq=false end
if not aq then break end
local f=cx+cy*(a-1)
t[f+1],t[f+2],t[f+3]=d,i-e,d-g
if p then
B=B or{}
local H=#B
B[H+1],B[H+2],B[H+3]=a,p,0
end
if h~=b.kind then
local H=#L+1
L[H]=k and#k/aL or 0
for o=1,k and#k or 0 do L[H+o]=k[o]end
end
if k and h==bb then
local aX,aI,o=b.refill_per_ms,b.ticks_per_unit,1
local r=ac*aI
while o<#k and k[o]<=i do
local s=k[o]
if s>e then
d,e=z(r,d-(s-e)*aX),s
end
r,o=r-k[o+1]*aI,o+aL
end
d,e=z(r,d-(i-e)*aX),i
g,bJ[a]=O(g,d-r),d
else
local r,aj
if h<an then
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif h==an then
local u=i-e
if u>=b.period then
local J=W(u/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local u=i-e
if u>=b.period then
local J=W(u/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
aj=1
end
bJ[a]=r
end
while k and k[1]and k[1]<=i do
ac,bZ[a]=ac-k[2],nil
for M=1,aL do bW(k,1)end
end
E[a],aK[a],bl[a],aJ[a],bm[a]=b,d,e,g,p
cL[a],bF[a]=k,ac
end
if ab and aq and(#ab>aO or Q("EXISTS",unpack(ab))>0)then aq=false end
if aq then
local f,H=1,N and#N or at
while f<=H do
local a,y,bX,v,bN,ah,ed=N and N[f]or f,1,0,0,0,0,0
if a==ca then
a,y,bX,v,bN,ah,ed=unpack(N,f+1,f+7)
f=f+7
end
local b,k=E[a],cL[a]
local aj,aI=b.unit,b.ticks_per_unit
for bv=1,ah+ed do
local gf,n,cg=N[f+1],N[f+2],bv>ah
f,aG[a]=f+2,true
for o=aL,k and#k or 0,aL do
if k[o]==gf then
local p=k[o-1]
local bL=O(p,n)
local ct=cg and 0 or bL
k[o-1],bF[a],bZ[a]=ct,bF[a]-p+ct,nil
if ct==0 then
for M=1,aL do bW(k,o-2)end
end
if cg then
aK[a],bJ[a]=aK[a]-bL*aj,bJ[a]-bL*aI
end
aJ[a]=aJ[a]+(p-bL)*aj
break
end
end
end
f=f+1
local T=bX==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if bJ[a]+z(1,y)*aI<=T then
local r=bJ[a]+y*aI
local d,n=aK[a]+y*aj,0
if b.share and bN>0 and(k and#k or 0)<aL*cY then
local fz=W(b.capacity_ticks/aI/2)
n=O(bN,ag(W((b.capacity_ticks-r)/aI)/2),fz-bF[a])
end
if n>0 then
k=k or{}
local s,eB=i+b.share,n
if b.base~=bb then s=O(s,bl[a]+b.period)end
if k[1]then s=z(s,k[#k-2])end
for o=#k,aL,-aL do
if k[o]==v then
eB=n+k[o-1]
for M=1,aL do bW(k,o-2)end
end
end
local ch=#k
k[ch+1],k[ch+2],k[ch+3]=s,eB,v
cL[a],bF[a],bZ[a]=k,bF[a]+n,nil
d,r=d+n*aj,r+n*aI
else
n=0
end
aK[a],bJ[a],aJ[a]=d,r,aJ[a]+y*aj
aG[a],V=true,V+1+n
end
end
for a=1,at do
if aG[a]then
local b,d,e,g,p=E[a],aK[a],bl[a],aJ[a],bm[a]
local S,h,m,G,A=b.definition,b.base,0,nil,nil
local k=cL[a]
local et=k and k[1]
if et and h==bb then
local aX,aI=b.refill_per_ms,b.ticks_per_unit
local bs,s,r=d,i,bF[a]*aI
for o=1,#k,aL do
bs=z(r,bs-(k[o]-s)*aX)
s,r=k[o],r-k[o+1]*aI
end
G=s+ag(bs/aX)-i
else
if h<an then
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
elseif h==an then
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
else
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
end
end
if G<=0 then
Q("DEL",KEYS[a])
else
if d<16777216 and g==d and not p then
A=R("<c0Bi6I3",S,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,R("<I7",g)
end
if p then m,B=m+by,B..R("<I7",p)end
A=R(aE,S,m,e,d)..B
end
local aA=cj("%d",(G<au and G or au)+bT)
if et then
A=A..(bZ[a]or R(eH(cz,#k/aL),unpack(k)))
end
local cu=dO("PSETEX",KEYS[a],aA,A)
ai=cu.err
if ai then break end
end
end
end
if ai then
local A=type(ai)=="table"and ai.err or ai
V=nil
for o,cf in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bo(A,cf,1,true)then V=-o end
end
if not V then error(ai,0)end
end
t[cZ],t[#t+1]=V,B and#B/3 or 0
for f=1,B and#B or 0 do t[#t+1]=B[f]end
for f=1,#L do t[#t+1]=L[f]end
return t
end
end
local E,d,e,g={},{},{},{}
local Z,ae,q,as,aT={},{},{},{},{}
local cM,ce,cl,dt={},{},{},{}
local aB,aG={},{}
local aY,dq={},{}
local bY,bQ,ep,eU,dj
local cn,co
local function bt(a)
aB[a],d[a],e[a],g[a]=true,-1,i,0
end
local function fr(a,m,f)
local I=bM[a]
if de(m,cR)~=0 then ae[a],f=ak(dS,I,f)end
if de(m,dU)~=0 then cM[a],f=ak(dX,I,f)end
if de(m,dT)~=0 then
ce[a]={ak(cv,I,f)}
f=ce[a][4]
end
cl[a]=string.sub(I,f)
end
local be,bc,bd=d,e,g
local function em(a,fN)
local I,f,d,e,g,p=bM[a],fN+1,nil,nil,nil,nil
local ap,m=#I-f,nil
if ap>=9 then
m,e,d=ak("<Bi6I3",I,f)
g,f=d,f+10
if m>0 then
local C=m%4
local bq,bp=m%16>=bA,m%32>=by
if ap<9+2*C+(bq and 7 or 0)+(bp and 7 or 0)then
f=nil
else
if C>0 then d,f=ak(C==1 and"<I5"or"<I7",I,f-3)end
g=m%16>=bw and 0 or d
if bq then g,f=ak("<I7",I,f)end
if bp then p,f=ak("<I7",I,f)end
end
end
else
f=nil
end
if not f then return false end
be[a],bc[a],bd[a],Z[a]=d,e,g,p
return f>#I or pcall(fr,a,m,f)
end
local ab,ar,aD={},nil,{}
for M,b in ipairs(aV)do aD[b.kind]=true end
for a=1,at do
local b,I=aV[bj and bj[a]or 1],bM[a]
E[a]=b
if not I then
ab[#ab+1]=a
else
local fH=bo(I,b.definition,1,true)==1 and em(a,#b.definition)
if not fH or cM[a]or e[a]>i then
ar=ar or{}
ar[#ar+1]=a
end
end
end
local bx,eT
if N then
bx={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function eT(f)
local aa,ec=N[f],N[f+1]
if aa>0 then return 1 end
if aa==ca then return 1+bx[ca]+2*(N[f+6]+N[f+7])end
local fG=aa==db or aa==cV
return 1+bx[aa]+(fG and cO*ec or aa==cB and ec or 0)
end
end
local aC={}
local function cc(a,h,bf)
d[a]=d[a]+bf
if h.record and bf~=0 then h.record(a,bf)end
end
local function fm(a,b,y)
local h,eP=b.algorithm,y*b.counts_per_unit
h.advance(a,b)
cc(a,h,eP)
g[a]=g[a]+eP
end
local function gk(a,b,eI,fY)
local h,dp=b.algorithm,fY-eI
h.advance(a,b)
local T=(h.most_counts and h.most_counts(b)or au)-d[a]-(Z[a]or 0)
local fL=h.queues and 0 or-g[a]
cc(a,h,z(fL,O(dp*b.counts_per_unit,z(0,T))))
g[a]=O(z(0,g[a]-eI*b.counts_per_unit),d[a])
if dp>0 and as[a]then bY(a,b,dp,ba)end
end
local function fj(a,b,r,dB,f)
local h,eQ=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if h.open then h.open(a,b)end
d[a],e[a],Z[a]=0,h.is_aligned and f-(f-(bB and bB[a]or 0))%b.period or f,nil
cc(a,h,ag(r/eQ))
g[a]=W(dB/eQ)
end
local function fJ(a,b,w)
local h=b.algorithm
if not h.has_history or b.period~=w.period then return false end
local function eM(S)return string.match(S,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return eM(b.definition)==eM(w.definition)and h.used(a,b)<=b.capacity_ticks
end
local function aN(h)
h.charge,h.settle,h.begin,h.keep=fm,gk,fj,fJ
return h
end
local function ee(b)
b.algorithm=aC[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local bE=aD[cU]or aD[cS]or aD[cT]
if bE then aD[bb],aD[an],aD[bz]=true,true,true end
if ar or aD[bb]then
local ao={is_reservable=true}
local function dr(x,j)
while j~=0 do x,j=j,x%j end
return x
end
function ao.define(b)
local cs=dr(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cs,b.rate/cs
end
function ao.used(a,b)
local d,e,g=d[a],e[a],0
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local be,bc,bd=d,e,g
function ao.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
be[a],bc[a],bd[a]=d,e,g
end
function ao.reset_after(a,b)
local d,e,g,G=d[a],e[a],0,nil
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
return G
end
aC[bb]=aN(ao)
end
if ar or aD[an]then
local ay={is_aligned=true,is_reservable=true}
function ay.used(a,b)
local d,e,g=d[a],e[a],0
local u=i-e
if u>=b.period then
local J=W(u/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local be,bc,bd=d,e,g
function ay.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local u=i-e
if u>=b.period then
local J=W(u/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
be[a],bc[a],bd[a]=d,e,g
end
function ay.reset_after(a,b)
local d,e,g,G=d[a],e[a],0,nil
local u=i-e
if u>=b.period then
local J=W(u/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
return G
end
function ay.most_counts(b)
return b.rate==0 and au or O(au,W(au/b.period)*b.rate)
end
aC[an]=aN(ay)
end
if ar or aD[bz]then
local ay={is_aligned=true,has_history=true,counts_units=true}
function ay.define(b)
b.ticks_per_unit=b.period
end
function ay.used(a,b)
local d,e,g,p,r=d[a],e[a],0,Z[a],nil
local u=i-e
if u>=b.period then
local J=W(u/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
return r
end
local be,bc,bd=d,e,g
function ay.advance(a,b)
local d,e,g,p=d[a],e[a],g[a],Z[a]
local u=i-e
if u>=b.period then
local J=W(u/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
be[a],bc[a],bd[a],Z[a]=d,e,g,p
end
function ay.reset_after(a,b)
local d,e,g,p,G=d[a],e[a],0,Z[a],nil
local u=i-e
if u>=b.period then
local J=W(u/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
return G
end
function ay.most_counts(b)
return W(au/b.period)
end
aC[bz]=aN(ay)
end
if ar or aD[cb]then
function cn(a,b)
return(string.gsub(KEYS[dt[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function ci(az,X)
local F=redis.pcall(az,X,0,0)
if not F.err then return F end
if not bo(F.err,"WRONGTYPE",1,true)then error(F.err)end
end
function co(X,az,ap)
local F=ci(az,X)
if not F then return false end
if F[1]and#F[1]~=ap then return false end
if F[1]then Q("UNLINK",X)end
return true
end
local function dx(a,c,az,ap)
local F=ci(az,c.key)
if not F or F[1]and#F[1]~=ap then return bt(a)end
return F[1]~=nil
end
local function bR(az,X,bC)
for P=1,#bC,aO do
Q(az,X,unpack(bC,P,O(P+aO-1,#bC)))
end
end
local function aW(a)
return z(e[a],i)
end
local function dL(dJ)
local aM={}
for X in pairs(dJ)do aM[#aM+1]=X end
table.sort(aM)
return aM
end
local cQ,aZ,da="<i6I7",13,9007199254740992
local aR=32
local bO=aR*aZ
local cX=1024
local am={has_history=true,keeps_list=true}
local function fT(Y,n)
return Y>=da-n and Y-(da-n)or Y+n
end
local function bG(Y,dn)
return Y<dn and Y-dn+da or Y-dn
end
local function eD(c,dD)
local A=c.read[dD]
if not A then
A=Q("LINDEX",c.key,dD-1)
c.read[dD]=A
end
return A
end
local function bn(c,ad)
local A,dA=c.tail,(ad-c.pages*aR-1)*aZ
if dA<0 then A,dA=eD(c,ag(ad/aR)),(ad-1)%aR*aZ end
local s,Y=ak(cQ,A,dA+1)
return s-c.shift,Y
end
local function bI(c,ad)
if ad==c.head then return c.base end
local M,Y=bn(c,ad)
return Y
end
local function ey(c,s)
local av,aH=c.head,c.length
if av==aH or bn(c,av+1)>s then return av end
while av<aH do
local aS=ag((av+aH)/2)
if bn(c,aS)<=s then av=aS else aH=aS-1 end
end
return av
end
local function ex(c,n)
local av,aH=c.head,c.length
while av<aH do
local aS=ag((av+aH)/2)
if bG(c.sum,bI(c,aS))>=n then av=aS else aH=aS-1 end
end
return av
end
local function dK(c,ax)
c.tail,c.length=ax,c.pages*aR+#ax/aZ
c.sum=c.length>c.head and select(2,bn(c,c.length))or c.base
end
local function ea(c,s,Y)
c.tail=c.tail..R(cQ,s+c.shift,Y)
c.length,c.sum=c.length+1,Y
end
function am.open(a,b)
local X=cn(a,b)
local du=q[a]and q[a].key==X and q[a].is_apart
q[a]={
key=X,is_apart=du,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return q[a]
end
function am.load(a,b)
local c,al,ax=am.open(a,b),ce[a],cl[a]or""
if#ax%aZ~=0 then return bt(a)end
if al then
c.pages,c.head,c.shift=al[1],al[2],al[3]
c.is_apart,c.stored=c.pages>0,c.pages
end
if c.is_apart and not dx(a,c,"LRANGE",bO)then
c.is_apart,c.pages,c.head,c.stored=false,0,0,0
ax=R(cQ,e[a]+c.shift,d[a])
end
dK(c,ax)
c.base=bG(c.sum,d[a])
end
local function cF(a,b)
local c,bi=q[a],aW(a)-b.period
if c.over~=bi then c.over,c.last_over=bi,ey(c,bi)end
return c.last_over
end
function am.used(a,b)
local c=q[a]
return bG(c.sum,bI(c,cF(a,b)))
end
function am.advance(a,b)
local c,bi=q[a],cF(a,b)
c.base=bI(c,bi)
c.head=bi
d[a]=bG(c.sum,c.base)
g[a]=O(g[a],d[a])
end
function am.reset_after(a,b)
local c=q[a]
if c.length==c.head then return 0 end
return z(0,bn(c,c.length)+b.period-i)
end
local function fU(a,n)
local c,s=q[a],aW(a)
local Y=fT(c.sum,n)
if c.length==c.head then c.base,Y=0,n end
if c.length>c.head and bn(c,c.length)==s then
c.tail,c.length=string.sub(c.tail,1,-aZ-1),c.length-1
end
ea(c,s,Y)
e[a]=s
end
local function gs(c,ad)
if ad<=c.pages*aR then
local dQ=z(0,ag(ad/aR)-1)
local ax=ad>0 and string.sub(eD(c,dQ+1),1,(ad-dQ*aR)*aZ)or""
c.pages=dQ
return dK(c,ax)
end
dK(c,string.sub(c.tail,1,(ad-c.pages*aR)*aZ))
end
local function gq(a,n)
local c=q[a]
local H,Y=ex(c,n),bG(c.sum,n)
c.cuts[H],c.cuts[H+1]=true,true
local s=H<c.length and Y~=bI(c,H)and bn(c,H+1)
gs(c,H)
if s then ea(c,s,Y)end
end
function am.record(a,bf)
if bf>0 then fU(a,bf)else gq(a,-bf)end
end
function am.note(a,b,T)
local c=q[a]
if ae[a]and ae[a]>i then c.cuts[ey(c,z(e[a],ae[a])-b.period)]=true end
if T>=0 and am.used(a,b)>T then c.cuts[ex(c,T+1)+1]=true end
end
function am.note_each(a,b,n)
local c,ad=q[a],cF(a,b)
local p,T=bI(c,ad),am.used(a,b)+n-b.capacity_ticks
while ad<c.length and bG(bI(c,ad),p)<T do
ad=ad+1
c.cuts[ad]=true
end
aY[a].is_whole=ad==c.length
if not aY[a].is_whole then am.note(a,b,-1)end
end
function am.see(a,b)
local c,bi=q[a],cF(a,b)
aY[a]={
key=c.key,pages=c.pages,head=bi,base=bI(c,bi),length=c.length,shift=c.shift,
tail=c.tail,read=c.read,cuts=c.cuts,
}
end
function am.show(a,t)
local L,y=aY[a],#t+1
local Y,bk=L.base,0
if L.length>L.head then L.cuts[L.head+1],L.cuts[L.length]=true,true end
t[y]=0
for M,ad in ipairs(dL(L.cuts))do
if ad>L.head and ad<=L.length then
local s,cr=bn(L,ad)
t[#t+1],t[#t+2]=s,bG(cr,Y)
Y,bk=cr,bk+1
end
end
t[y]=L.is_whole and bk or-bk
end
function am.divide(a)
local c=q[a]
if c.length==c.head then c.pages,c.head,c.tail,c.shift=0,0,"",0 end
c.dropped=O(W(c.head/aR),c.pages,cX)
c.kept=c.pages-c.dropped
local ds,ax,cK=c.head-c.dropped*aR,c.tail,{}
if c.kept==0 then ds,ax=0,string.sub(ax,ds*aZ+1)end
local dv=nil
while#ax>bO do
if dv==nil then dv=c.is_apart or co(c.key,"LRANGE",bO)end
if not dv then break end
cK[#cK+1],ax=string.sub(ax,1,bO),string.sub(ax,bO+1)
end
c.pushed=cK
local eE=c.kept+#cK
return(eE>0 or c.shift~=0)and R(cv,eE,ds,c.shift)or"",ax
end
function am.write(a,aA)
local c=q[a]
if c.is_apart and c.kept==0 then Q("UNLINK",c.key)
elseif c.is_apart and(c.dropped>0 or c.pages<c.stored)then
Q("LTRIM",c.key,c.dropped,c.pages-1)
end
bR("RPUSH",c.key,c.pushed)
if c.kept+#c.pushed>0 then Q("PEXPIRE",c.key,aA)end
end
function am.rewind(a,aw)
q[a].shift,q[a].over=q[a].shift+aw,nil
end
aC[cb]=aN(am)
local gj=am.keep
function am.keep(a,b,w)
if not gj(a,b,w)then return false end
dj(a,b,"LRANGE",bO)
return true
end
end
if ar or aD[dV]then
local ao={is_reservable=true}
local function dr(x,j)
while j~=0 do x,j=j,x%j end
return x
end
function ao.define(b)
local cs=dr(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cs,b.rate/cs
end
function ao.used(a,b)
local d,e,g=d[a],e[a],0
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local be,bc,bd=d,e,g
function ao.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
be[a],bc[a],bd[a]=d,e,g
end
function ao.reset_after(a,b)
local d,e,g,G=d[a],e[a],0,nil
local u=i-e
if u>0 then
d,e=d-u*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
return G
end
ao.queues=true
aC[dV]=aN(ao)
end
if ar or aD[cP]then
function cn(a,b)
return(string.gsub(KEYS[dt[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function ci(az,X)
local F=redis.pcall(az,X,0,0)
if not F.err then return F end
if not bo(F.err,"WRONGTYPE",1,true)then error(F.err)end
end
function co(X,az,ap)
local F=ci(az,X)
if not F then return false end
if F[1]and#F[1]~=ap then return false end
if F[1]then Q("UNLINK",X)end
return true
end
local function dx(a,c,az,ap)
local F=ci(az,c.key)
if not F or F[1]and#F[1]~=ap then return bt(a)end
return F[1]~=nil
end
local function bR(az,X,bC)
for P=1,#bC,aO do
Q(az,X,unpack(bC,P,O(P+aO-1,#bC)))
end
end
local function aW(a)
return z(e[a],i)
end
local function dL(dJ)
local aM={}
for X in pairs(dJ)do aM[#aM+1]=X end
table.sort(aM)
return aM
end
local cw,cW,cA="<I7B",8,35184372088832
local cX=128
local function bH(C,s)
return cj("%.0f",(C-1)*cA+s)
end
local function dm(n,dP)
local C=1
while n>0 do
if n%2==1 then dP(C)end
n,C=W(n/2),C+1
end
end
local function fn(c,s)
local n,fi=0,z(0,c.floor+c.shift+1)
for C=1,c.sizes do
local aP=Q("ZCOUNT",c.key,bH(C,fi),bH(C,s+c.shift))
n=n+2^(C-1)*aP
end
return n
end
local function fX(c,v)
local aP={}
for C=1,c.sizes do aP[C]=R(cw,v,C)end
local l={units=0,id=v}
for C,A in ipairs(#aP>0 and Q("ZMSCORE",c.key,unpack(aP))or{})do
if A then
l.units=l.units+2^(C-1)
l.instant=tonumber(A)-(C-1)*cA-c.shift
end
end
return l.units>0 and l or nil
end
local function gl(c,aU)
for C=1,c.sizes do
local P,H,aQ=bH(C,aU+c.shift),bH(C+1,-1),{}
for M,fO in ipairs(Q("ZRANGEBYSCORE",c.key,"("..P,H))do
aQ[#aQ+1],aQ[#aQ+2]=P,fO
end
bR("ZADD",c.key,aQ)
end
end
local function fW(c)
local dg,U,F={},{},Q("ZRANGE",c.key,0,-1,"WITHSCORES")
for f=1,#F,2 do
local v,C=ak(cw,F[f])
local l=dg[v]or{units=0,id=v}
l.instant=tonumber(F[f+1])-(C-1)*cA-c.shift
l.units=l.units+2^(C-1)
if not dg[v]then dg[v],U[#U+1]=l,l end
end
return U
end
local function gu(c,ga,cd)
local aP,aQ={},{}
for v,l in pairs(ga)do
dm(l.units,function(C)aP[#aP+1]=R(cw,v,C)end)
end
for M,l in pairs(cd)do
dm(l.units,function(C)
aQ[#aQ+1],aQ[#aQ+2]=bH(C,l.instant+c.shift),R(cw,l.id,C)
end)
end
bR("ZREM",c.key,aP)
bR("ZADD",c.key,aQ)
return#aQ/2
end
local function fv(c,cd)
local ah=cX+cd
for C=1,c.sizes do
local P,H=bH(C,0),bH(C,z(-1,c.floor+c.shift))
local aP=ah>0 and Q("ZRANGEBYSCORE",c.key,P,H,"LIMIT",0,ah)or{}
bR("ZREM",c.key,aP)
ah=ah-#aP
end
end
local dW,eX="<i6I4I7",17
local fa=-cA
local eY=16
local K={holds_leases=true,keeps_list=true}
function K.open(a,b)
local X=cn(a,b)
local du=q[a]and q[a].key==X and q[a].is_apart
q[a]={
key=X,is_apart=du,shift=0,cuts={},kept={},sizes=0,floor=fa,
found={},removed={},added={},
}
return q[a]
end
function K.load(a,b)
local c,al,A=K.open(a,b),ce[a],cl[a]or""
if#A%eX~=0 then return bt(a)end
local f=1
while f<=#A do
local l={}
l.instant,l.units,l.id,f=ak(dW,A,f)
c.kept[#c.kept+1]=l
end
if not al then return end
c.sizes,c.floor,c.shift=al[1],al[2],al[3]
c.is_apart,c.kept=true,nil
if dx(a,c,"ZRANGE",cW)or aB[a]then return end
K.open(a,b).kept[1]={instant=e[a]+b.period,units=d[a],id=ba}
end
local function ek(c,s)
if s<=c.floor then return 0 end
if not c.kept then return fn(c,s)end
local n=0
for M,l in ipairs(c.kept)do
if l.instant>s then break end
if l.instant>c.floor then n=n+l.units end
end
return n
end
local function dk(U,c,s)
local n=0
for M,l in pairs(U)do
if l.instant>c.floor and l.instant<=s then n=n+l.units end
end
return n
end
local function el(c,s)
return ek(c,s)-dk(c.removed,c,s)+dk(c.added,c,s)
end
local function fo(a)
local c,s=q[a],aW(a)
if s<=c.floor then return 0 end
if c.over~=s then c.over,c.units_over=s,el(c,s)end
return c.units_over
end
function K.used(a)
return d[a]-fo(a)
end
function K.advance(a)
d[a]=K.used(a)
q[a].floor=z(q[a].floor,aW(a))
end
local function fx(c,v)
for M,l in ipairs(c.kept)do
if l.id==v then return l end
end
end
local function fy(c,v)
if c.found[v]==nil then
c.found[v]=(c.kept and fx or fX)(c,v)or false
end
return c.found[v]or nil
end
local function er(c,v)
local l=c.added[v]or not c.removed[v]and fy(c,v)or nil
return l and l.instant>c.floor and l or nil
end
local function bW(c,v)
local l=er(c,v)
if not l then return 0 end
if c.added[v]then c.added[v]=nil else c.removed[v]=l end
return l.units
end
local function cc(a,v,n,s)
local c=q[a]
local p=bW(c,v)
c.added[v]={instant=s,units=p+n,id=v}
end
function K.charge(a,b,n,v)
K.advance(a)
e[a]=aW(a)
cc(a,v,n,e[a]+b.period)
d[a]=d[a]+n
end
K.settle=K.advance
function K.reset_after(a,b)
return K.used(a)==0 and 0 or e[a]+b.period-i
end
function K.begin(a,b,r,M,f)
K.open(a,b)
d[a],e[a],Z[a],g[a]=0,f,nil,0
if r>0 then K.charge(a,b,r,ba)end
end
local function ef(br,aw,aU)
local U={}
for o,l in ipairs(br)do
U[o]={instant=O(l.instant-aw,aU),units=l.units,id=l.id}
end
return U
end
function K.keep(a,b,w)
dj(a,b,"ZRANGE",cW)
K.advance(a)
local c,aU=q[a],aW(a)+b.period
if c.kept then c.kept=ef(c.kept,0,aU)
elseif b.period<w.period and not aB[a]then gl(c,aU)
end
e[a]=aW(a)
return true
end
function K.rewind(a,aw)
local c=q[a]
c.floor,c.over=c.floor-aw,nil
if c.kept then c.kept=ef(c.kept,aw,math.huge)else c.shift=c.shift+aw end
end
local function dG(a,v,y)
K.advance(a)
local c=q[a]
local l=er(c,v)
if not l or l.units~=y then return false end
d[a]=d[a]-bW(c,v)
return true
end
local function eG(a,b,v,y)
local cm=dG(a,v,y)
if cm then K.charge(a,b,y,v)end
return cm
end
local function eo(a,dP)
for M,j in ipairs(as[a]or{})do
if E[j].algorithm==K then dP(j,E[j])end
end
end
function K.release(a,M,v,y)
eo(a,function(j)dG(j,v,y)end)
dG(a,v,y)
end
function K.renew(a,b,v,y)
if not eG(a,b,v,y)then return end
eo(a,function(j,ev)
if not eG(j,ev,v,y)then K.charge(j,ev,y,v)end
end)
end
local function ch(a,b,n)
local c,av,aH=q[a],aW(a),e[a]+b.period
for M,l in ipairs(c.kept or{})do
local cm=l.instant>c.floor and not c.removed[l.id]
if cm then n=n-l.units end
if cm and n<=0 then return l.instant end
end
if c.kept then return aH end
while av+1<aH do
local aS=W((av+aH)/2)
if el(c,aS)>=n then aH=aS else av=aS end
end
return aH
end
function K.note(a,b,T)
local c=q[a]
if ae[a]and ae[a]>i then c.cuts[z(e[a],ae[a])]=true end
if T>=0 and K.used(a)>T then c.cuts[ch(a,b,d[a]-T)]=true end
end
function K.note_each(a)
aY[a].is_whole=true
end
function K.see(a,b)
local c=q[a]
aY[a]={
key=c.key,kept=c.kept,sizes=c.sizes,shift=c.shift,floor=z(c.floor,aW(a)),
used=K.used(a),latest=e[a]+b.period,cuts=c.cuts,found=c.found,
}
end
local function fQ(L)
local eL,U=L.found,{}
if L.is_whole then eL=L.kept or fW(L)end
for M,l in pairs(eL)do
if l and l.instant>L.floor then U[#U+1]=l end
end
table.sort(U,function(x,j)return x.instant<j.instant end)
return U
end
function K.show(a,t)
local L,y,bk,Y,cq=aY[a],#t+1,0,0,1
local dy=fQ(L)
local function eK(s,n,v)
t[#t+1],t[#t+2],t[#t+3]=s,n,v
bk=bk+1
end
t[y],L.cuts[L.latest]=0,true
for M,bh in ipairs(dL(L.cuts))do
if bh>L.floor and bh<=L.latest then
local cr=bh==L.latest and L.used or ek(L,bh)
local D=cr-Y
while dy[cq]and dy[cq].instant<=bh do
local l=dy[cq]
eK(l.instant,l.units,l.id)
D,cq=D-l.units,cq+1
end
if D>0 then eK(bh,D,-1-bk)end
Y=cr
end
end
t[y]=bk
end
local function fB(c)
local U={}
for M,l in ipairs(c.kept)do
if l.instant>c.floor and not c.removed[l.id]then U[#U+1]=l end
end
for M,l in pairs(c.added)do U[#U+1]=l end
return U
end
function K.divide(a)
local c,F=q[a],{}
if not c.kept and d[a]==dk(c.added,c,math.huge)then c.kept,c.shift={},0 end
if c.kept then
local U=fB(c)
if#U<=eY or not(c.is_apart or co(c.key,"ZRANGE",cW))then
for o,l in ipairs(U)do F[o]=R(dW,l.instant,l.units,l.id)end
return"",table.concat(F)
end
c.moved=U
end
for M,l in pairs(c.moved or c.added)do
dm(l.units,function(C)c.sizes=z(c.sizes,C)end)
end
return R(cv,c.sizes,c.floor,c.shift),""
end
function K.write(a,aA)
local c=q[a]
if c.kept and c.is_apart then Q("UNLINK",c.key)end
if c.kept and not c.moved then return end
local cd=gu(c,c.removed,c.moved or c.added)
if not c.kept then fv(c,cd)end
Q("PEXPIRE",c.key,aA)
end
aC[cP]=K
end
if ar or bE then
local function cJ(a)
return z(e[a],i)
end
local function en(a)
local k,s=q[a].shares,cJ(a)
if not k[1]or k[1].instant>s then return end
local ah={}
for o=1,#k do
if k[o].instant>s then ah[#ah+1]=k[o]end
end
q[a]={shares=ah}
end
local function cN(a,s)
local k,n=q[a].shares,0
for o=1,#k do
if k[o].instant>s then n=n+k[o].units end
end
return n
end
local function bh(a,v,T)
local k,p,ah=q[a].shares,0,{}
for o=1,#k do
local x=k[o]
if x.id==v then
p=x.units
x={instant=x.instant,units=O(p,T),id=v}
end
if x.units>0 then ah[#ah+1]=x end
end
q[a]={shares=ah}
return p
end
local function bE(h)
function h.open(a)
q[a]={shares={}}
end
function h.load(a)
local A,k,f=cl[a]or"",{},1
if#A%dZ~=0 then return bt(a)end
while f<=#A do
local x={}
x.instant,x.units,x.id,f=ak(cz,A,f)
k[#k+1]=x
end
q[a]={shares=k}
end
function h.divide(a)
local k,F=q[a].shares,{}
for o=1,#k do
F[o]=R(cz,k[o].instant,k[o].units,k[o].id)
end
return"",table.concat(F)
end
function h.see(a)
aY[a]=q[a].shares
end
function h.show(a,t)
t[#t+1]=#aY[a]
for M,x in ipairs(aY[a])do
local f=#t
t[f+1],t[f+2],t[f+3]=x.instant,x.units,x.id
end
end
function h.rewind(a,aw)
local k={}
for o,x in ipairs(q[a].shares)do
k[o]={instant=x.instant-aw,units=x.units,id=x.id}
end
q[a]={shares=k}
end
function h.forget(a,b)
if cN(a,cJ(a))==0 then return false end
h.advance(a,b)
d[a],Z[a],g[a]=cN(a,0)*b.counts_per_unit,nil,0
return true
end
local function fS(a,b,n)
if n>0 then g[a]=g[a]+n*b.counts_per_unit end
end
function h.report(a,b,bv,ah)
h.advance(a,b)
for f=1,#bv,2 do
local v,n,cg=bv[f],bv[f+1],f>2*ah
local p=bh(a,v,cg and 0 or n)
local bL=O(p,n)
if cg then d[a]=d[a]-bL*b.counts_per_unit end
fS(a,b,p-bL)
end
end
local function fM(a,b)
if not b.share or#q[a].shares>=cY then return 0 end
local ah=W((b.capacity_ticks-h.used(a,b))/b.ticks_per_unit)
return O(ag(ah/2),W(b.capacity_ticks/b.ticks_per_unit/2)-cN(a,0))
end
function h.lend(a,b,v,bN)
h.advance(a,b)
local n=O(bN,fM(a,b))
if n<=0 then return 0 end
local s,H=h.lent_until(a,b),q[a].shares[#q[a].shares]
if H then s=z(s,H.instant)end
local p,k=bh(a,v,0),q[a].shares
k[#k+1]={instant=s,units=p+n,id=v}
d[a]=d[a]+n*b.counts_per_unit
return n
end
return aN(h)
end
local ao={base=aC[bb],is_reservable=true,define=aC[bb].define}
local function df(a,b,s)
local d,e,k=d[a],e[a],q[a].shares
local ac=k[1]and cN(a,0)*b.ticks_per_unit or 0
local aX=b.refill_per_ms
for o=1,#k do
local x=k[o]
if x.instant>z(s,e)then break end
if x.instant>e then
d,e=z(ac,d-(x.instant-e)*aX),x.instant
end
ac=ac-x.units*b.ticks_per_unit
end
if s>e then d,e=z(ac,d-(s-e)*aX),s end
return d,e,ac
end
function ao.used(a,b)
return(df(a,b,i))
end
function ao.advance(a,b)
local ac
d[a],e[a],ac=df(a,b,i)
g[a]=O(g[a],d[a]-ac)
en(a)
end
function ao.reset_after(a,b)
local bs,e,ac=df(a,b,i)
if bs<=0 then return 0 end
for M,x in ipairs(q[a].shares)do
if x.instant>e then
bs=z(ac,bs-(x.instant-e)*b.refill_per_ms)
e,ac=x.instant,ac-x.units*b.ticks_per_unit
end
end
return e+ag(bs/b.refill_per_ms)-i
end
function ao.lent_until(a,b)
return cJ(a)+b.share
end
local function ez(ay)
local h=setmetatable({base=ay},{__index=ay})
function h.advance(a,b)
ay.advance(a,b)
en(a)
end
function h.lent_until(a,b)
return O(cJ(a)+b.share,e[a]+b.period)
end
return h
end
aC[cU]=bE(ao)
aC[cS]=bE(ez(aC[an]))
aC[cT]=bE(ez(aC[bz]))
end
for M,b in ipairs(aV)do ee(b)end
local ew=ar or aD[cb]or aD[cP]or bE
for P=1,#ab,aO do
local H,aM=O(P+aO-1,#ab),{}
for o=P,H do aM[#aM+1]=KEYS[ab[o]]end
if Q("EXISTS",unpack(aM))>0 then
for o=P,H do
if Q("EXISTS",KEYS[ab[o]])==1 then bt(ab[o])end
end
end
end
for M,a in ipairs(ab)do
if not aB[a]then E[a].algorithm.begin(a,E[a],0,0,i)end
end
if ar then
local eZ=7
local function dF(S)
local dR={}
for gt in string.gmatch(S or"","[^,\\n]+")do dR[#dR+1]=tonumber(gt,36)or false end
local h,aN,cI,dh,cC=unpack(dR)
local bP=aC[h]
if not(bP and aN and cI)then return nil end
dh=dh or aN
local b=eF(S,h,aN,cI,1,0,0,0)
if bP.define then bP.define(b)end
b.capacity_ticks=dh*b.ticks_per_unit
if bP.is_reservable and aN>0 then
local T=(bP.most_counts and bP.most_counts(b)or au)-b.capacity_ticks
b.debt_ticks=cC and O(cC*b.ticks_per_unit,T)or T
end
ee(b)
return b
end
local cG=at
local function dz(a)
cG=cG+1
dt[cG]=a
return cG
end
local function ft(a,A)
as[a]={}
for o,gn in ipairs(cmsgpack.unpack(A))do
local j,S,al=dz(a),nil,nil
S,d[j],e[j],g[j],Z[j],aT[j],al,cl[j]=
unpack(gn)
if Z[j]==0 then Z[j]=nil end
local b=assert(dF(S))
E[j],as[a][o]=b,j
if al~=""then ce[j]={ak(cv,al)}end
if b.algorithm.load then b.algorithm.load(j,b)end
assert(not aB[j])
end
end
function ep(a)
local U,aU={},i
for o,j in ipairs(as[a])do
local b,al,ck=E[j],"",""
aU=z(aU,aT[j])
if b.algorithm.divide then al,ck=b.algorithm.divide(j)end
U[o]={
b.definition,d[j],e[j],g[j],Z[j]or 0,aT[j],al,ck,
}
end
return cmsgpack.pack(U),aU-i
end
function eU(a,aA)
for M,j in ipairs(as[a])do
local h=E[j].algorithm
if h.write then h.write(j,aA)end
end
end
local function fs(a)
local w=dF(string.match(bM[a],"^[^\\n]*\\n"))
if not w or not em(a,#w.definition)then return nil end
if cM[a]and not pcall(ft,a,cM[a])then return nil end
return w
end
local function di(r,w,b)
if w.ticks_per_unit==b.ticks_per_unit then return r end
local n=W(r/w.ticks_per_unit)
local gd=(r-n*w.ticks_per_unit)/w.ticks_per_unit
return n*b.ticks_per_unit+O(b.ticks_per_unit,ag(gd*b.ticks_per_unit))
end
local function eC(r,w,b)
return b.capacity_ticks+O(di(z(0,r-w.capacity_ticks),w,b),b.debt_ticks)
end
local function gg(x,j)
return(x.base or x)==(j.base or j)
end
local function fP(a,b,w)
local cH,cp=w.algorithm,b.algorithm
if gg(cH,cp)and cp.keep(a,b,w)then
if cH.base or cp.base then q[a]=cp.base and{shares={}}or nil end
return
end
cH.advance(a,w)
local r=cH.used(a,w)
local br=O(di(r,w,b),eC(r,w,b))
local dB=O(br,di(g[a]*w.ticks_per_unit/w.counts_per_unit,w,b))
q[a]=nil
cp.begin(a,b,br,dB,z(i,e[a]))
end
local function eA(b)
if b.rate==0 then return 2*b.period end
return b.period*z(2,ag(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function ei(x,j)
d[j],e[j],g[j],Z[j]=d[x],e[x],g[x],Z[x]
end
local function ej(x,bg)
for eq,I in pairs(x)do
if bg[eq]==nil then bg[eq]=I end
end
return bg
end
function dj(a,b,fV,ap)
local c=q[a]
local bg=ej(c,{key=cn(a,b),is_beside=false,cuts={},found={},removed={},added={}})
q[a]=bg
if not bg.is_apart or bg.key==c.key then return end
if not co(bg.key,fV,ap)then return bt(a)end
Q(c.is_beside and"COPY"or"RENAME",c.key,bg.key)
end
local function eh(a,w,b)
local j=dz(a)
E[j],q[j]=w,q[a]
if q[a]then
q[a].is_beside=true
q[a]=ej(q[a],{})
end
ei(a,j)
aT[j]=O(i+z(w.algorithm.reset_after(j,w),eA(w),eA(b)),au)
return j
end
local function dH(a,b)
if e[a]-i<b.period then return 0 end
local aa=b.algorithm.is_aligned and b.period or 1
local aw=W((e[a]-i)/aa)*aa
e[a],ae[a]=e[a]-aw,ae[a]and z(0,ae[a]-aw)
if q[a]then b.algorithm.rewind(a,aw)end
return aw
end
local function dl(D)
local br={}
for M,j in ipairs(D or{})do
aT[j]=aT[j]-dH(j,E[j])
if aT[j]>i then br[#br+1]=j end
end
return br
end
local dY="1,0,eiz5s00,gjdgxs\\n"
local function dC(D)
for o,j in ipairs(D or{})do
if E[j].definition==dY then return j,o end
end
end
local function fR(a)
local af=dz(a)
E[af]=dF(dY)
d[af],e[af],Z[af],g[af],aT[af]=0,i,0,0,0
return af
end
local function fh(a,w,D)
local af,o=dC(D)
if af then table.remove(D,o)else af=fR(a)end
local r,bU=w.algorithm.used(a,w),w.ticks_per_unit
d[af]=z(d[af],ag(r/bU))
Z[af]=z(Z[af]or 0,ag((r-w.capacity_ticks)/bU))
aT[af]=z(aT[af],O(i+w.algorithm.reset_after(a,w),au))
D[#D+1]=af
end
local function fp(a,b)
local af=dC(as[a])
if not af then return end
local h,bU=b.algorithm,b.ticks_per_unit
local cC=O((Z[af]or 0)*bU,b.debt_ticks)
local r=O(d[af]*bU,b.capacity_ticks+cC)
local eJ=r-h.used(a,b)
if eJ<=0 then return end
if h.holds_leases then return h.charge(a,b,eJ,i)end
h.advance(a,b)
h.begin(a,b,r,g[a]*bU/b.counts_per_unit,z(i,e[a]))
end
local function gr(a,b,w,D)
local M,af=dC(D)
if w.algorithm.reset_after(a,w)>0 then
local fE=#D-(af and 1 or 0)>=eZ
if fE then fh(a,w,D)
else D[#D+1]=dl({eh(a,w,b)})[1]end
end
as[a]=#D>0 and D or nil
fP(a,b,w)
fp(a,b)
end
local function gp(a,b,w,D,fK)
dH(a,w)
local j=table.remove(D,fK)
D[#D+1]=eh(a,w,b)
as[a]=D
ei(j,a)
q[a]=q[j]
end
local function fl(a,b,w)
local D=dl(as[a])
for o,j in ipairs(D)do
if E[j].definition==b.definition then return gp(a,b,w,D,o)end
end
gr(a,b,w,D)
end
function bQ(a,b)
local fD=e[a]>i and d[a]==0 and(Z[a]or 0)==0 and(ae[a]or 0)<=i
if fD then b.algorithm.begin(a,b,0,0,i)end
end
local function fZ(a,b)
local w=fs(a)
if not w then return bt(a)end
local eu=w.definition==b.definition
if eu and e[a]<=i then return end
if w.algorithm.load then w.algorithm.load(a,w)end
if aB[a]then return end
if not eu then fl(a,b,w)end
dH(a,b)
bQ(a,b)
aG[a]=true
end
function bY(a,b,y,l)
local D=dl(as[a])
as[a]=#D>0 and D or nil
local r=b.algorithm.used(a,b)
for M,j in ipairs(D)do
local bK,n=E[j],y
if l==ba or not bK.algorithm.holds_leases then
local ge=eC(r,b,bK)-bK.algorithm.used(j,bK)
n=O(y,W(ge/bK.ticks_per_unit))
end
if n>0 then bK.algorithm.charge(j,bK,n,l~=ba and l or i)end
end
end
for M,a in ipairs(ar)do fZ(a,E[a])end
end
for a=1,ew and at or 0 do
local b=E[a]
if b.algorithm.load and not aB[a]then
if not q[a]then b.algorithm.load(a,b)end
if not aB[a]then b.algorithm.see(a,b)end
end
end
local t={i,0}
for a=1,at do
local f=cx+cy*(a-1)
local cE,dw=d[a],g[a]
if E[a].algorithm.note and not aB[a]then
cE=E[a].algorithm.used(a,E[a])
dw=O(dw,cE)
end
t[f+1],t[f+2],t[f+3]=cE,i-e[a],cE-dw
end
local dd=#t+1
t[dd]=0
if next(Z)or next(ae)then
for a=1,at do
if Z[a]or ae[a]then
local f=#t
t[dd]=t[dd]+1
t[f+1],t[f+2],t[f+3]=a,Z[a]or 0,ae[a]or 0
end
end
end
local V=0
local function es(a,b,r,T)
local fC=ae[a]and ae[a]>i
return not fC and b.algorithm.used(a,b)+r<=T
end
local function bS(a,b,r,T)
if ar then bQ(a,b)end
if aB[a]then return false end
if es(a,b,r,T)then return true end
local h=b.algorithm
if h.note then h.note(a,b,T-r)end
return false
end
local function dM(a,b,y,l)
b.algorithm.charge(a,b,y,l)
if as[a]then bY(a,b,y,l)end
aG[a]=true
end
local function eO(a)
local b=E[a]
if not bS(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
dM(a,b,1,ba)
V=V+1
end
if not N then
for a=1,at do eO(a)end
else
local function eb(f,aF)
if aF==1 then return N[f],1,0,0,ba end
return unpack(N,f,f+aF-1)
end
local function dN(P,H,aF,fF)
local dc=not fF
for f=P,H,aF do
local a,y,bX,fA=eb(f,aF)
local b=E[a]
local T=bX==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dc=bS(a,b,z(1,y)*b.ticks_per_unit+fA,T)and dc
end
for f=P,dc and H or 0,aF do
local a,y,M,M,l=eb(f,aF)
if y>0 then dM(a,E[a],y,l)end
V=V+1
end
end
local function bD(a,b,h,aw)
h.advance(a,b)
local ct=h.is_aligned or h.holds_leases and d[a]>0
if not ct then e[a]=z(e[a],i)end
ae[a]=z(e[a],i)+aw
end
local function eN(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function gc(a,b,h)
if ae[a]and ae[a]<=i then ae[a]=nil end
local ac={}
for M,j in ipairs(as[a]or{})do
if aT[j]>i and eN(j,E[j])then ac[#ac+1]=j
else dq[#dq+1]=q[j]
end
end
as[a]=#ac>0 and ac or nil
if not eN(a,b)then h.begin(a,b,0,0,i)end
end
local function bf(aa,a,P,dI)
local b=E[a]
local h=b.algorithm
if aB[a]then return end
if ar then bQ(a,b)end
if aa==fe then h.settle(a,b,P,dI)
elseif aa==fd then gc(a,b,h)
elseif aa==eW then bD(a,b,h,P)
elseif aa==fg then ae[a]=nil
elseif aa==fb and h.holds_leases then h.release(a,b,P,dI)
elseif aa==fc and h.holds_leases then h.renew(a,b,P,dI)
end
if ar then bQ(a,b)end
aG[a]=true
end
local function fu(f,aF)
local a,y,bX,v,bN,ah=unpack(N,f+1,f+6)
local b,bv=E[a],{unpack(N,f+1+bx[ca],f+aF-1)}
local h=b.algorithm
if aB[a]then return end
if ar then bQ(a,b)end
if#bv>0 then
local gb=h.report or h.advance
gb(a,b,bv,ah)
aG[a]=true
end
local T=bX==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not es(a,b,z(1,y)*b.ticks_per_unit,T)then return end
if y>0 then dM(a,b,y,ba)end
local n=h.lend and h.lend(a,b,v,bN)or 0
if n>0 and as[a]then bY(a,b,n,ba)end
aG[a],V=true,V+1+n
end
local function gm(a,n)
local h=E[a].algorithm
if h.note_each and not aB[a]then h.note_each(a,E[a],n)end
end
local f,H=1,#N
while f<=H do
local aa,aF=N[f],eT(f)
if aa>0 then eO(aa)
elseif aa==db then dN(f+1+bx[db],f+aF-1,cO)
elseif aa==cB then dN(f+1+bx[cB],f+aF-1,1)
elseif aa==cV then dN(f+1+bx[cV],f+aF-1,cO,true)
elseif aa==ca then fu(f,aF)
elseif aa==ff then gm(N[f+1],N[f+2])
else bf(aa,N[f+1],N[f+2],N[f+3])
end
f=f+aF
end
end
for a=1,ew and at or 0 do
local h=E[a].algorithm
if h.show and not aB[a]then h.show(a,t)end
end
local function fw(a,D)
local S,d,e,g=E[a].definition,d[a],e[a],g[a]
local p,bD,m,bV,A,al,ck=Z[a],ae[a]or 0,0,"",nil,"",""
local h=E[a].algorithm
if h.divide then al,ck=h.divide(a)end
if bD~=0 then m,bV=cR,R(dS,bD)end
if D~=""then m,bV=m+dU,bV..R(dX,#D,D)end
if al~=""then m,bV=m+dT,bV..al end
if d<16777216 and g==d and not p then
A=R("<c0Bi6I3",S,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,R("<I7",g)
end
if p then m,B=m+by,B..R("<I7",p)end
A=R(aE,S,m,e,d)..B
end
return A..bV..ck
end
local function gh(a)
local b,X,D,eS=E[a],KEYS[a],"",0
local p,bD=Z[a]or 0,ae[a]or 0
local G=b.algorithm.reset_after(a,b)
if as[a]then D,eS=ep(a)end
G=z(G,bD-i,eS)
if not(G>0 or bT>0 and(d[a]>0 or p>0 or bD>0))then
if q[a]and q[a].is_apart then Q("UNLINK",q[a].key)end
return Q("DEL",X)
end
local aA=cj("%d",(G<au and G or au)+bT)
Q("PSETEX",X,aA,fw(a,D))
if b.algorithm.write then b.algorithm.write(a,aA)end
if as[a]then eU(a,aA)end
end
local function gi()
for a=1,at do
if aG[a]and not aB[a]then gh(a)end
end
for M,c in ipairs(dq)do
if c.is_apart then Q("UNLINK",c.key)end
end
end
local fI,ai=pcall(gi)
if not fI then
local A=type(ai)=="table"and ai.err or ai
V=nil
for o,cf in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bo(A,cf,1,true)then V=-o end
end
if not V then error(ai,0)end
end
t[cZ]=V
return t
`,
} as const;
