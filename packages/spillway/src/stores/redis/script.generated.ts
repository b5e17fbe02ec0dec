/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "7eb9698cc525cd60b05fead7e74100da6957a14d",
  source: `local Q,al,cn,aW,gK=struct.pack,struct.unpack,string.format,string.find,string.byte
local V,cX,P,A,T,ad=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local as=4503599627370496
local aP=4000
local bd=0
local be,W,bF,ch,ej,da,df,dd,de,dn,fs,fr,fk,fu,fp,fq,bS,cG,dg,ft,cZ,dk,dl,en,gI,gJ,dj=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,2,4,2,3,2
local h,ba=tonumber(ARGV[3]),3600000
if not h then
local ff=V("TIME")
h,ba=ff[1]*1000+T(ff[2]/1000),0
end
local bD,bG,bE,dc,ei,eh=4,8,16,32,64,128
local eg="<I7"
local el="<I4c0"
local cB="<I4i7i6"
local cE,eo,U,cD="<i6I4I7",17,3,256
local dr=bit.band
local function eU(
O,i,aO,cQ,cg,refill_per_ms,capacity_ticks,debt_ticks,aA,ce
)
return{
numbers=aA,bytes=#O+(i<W and 16 or 10),
definition=O,kind=i,rate=aO,period=cQ,ticks_per_unit=cg,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=ce,
}
end
local bm,bA=cjson.decode(ARGV[1]),nil
for k=1,#bm do bm[k]=eU(unpack(bm[k]))end
if ARGV[2]and ARGV[2]~=""then bA=cjson.decode(ARGV[2])end
local ay=#KEYS
local bR=V("MGET",unpack(KEYS,1,P(ay,aP)))
for R=aP+1,ay,aP do
local eu=V("MGET",unpack(KEYS,R,P(R+aP-1,ay)))
for k=1,#eu do bR[R+k-1]=eu[k]end
end
local bM,bH,N
if bA then bM,bH,N=bA.owners,bA.anchors,bA.steps end
if not bA or bA.takes_units then
local av,ae,w,S,B,ap=true,nil,{h,0},0,nil,nil
local E,cI={},{}
local G,aT,bq,aS,bu,dJ,aJ
if N then
G,aT,bq,aS,bu,dJ,aJ={},{},{},{},{},{},{}
end
for a=1,ay do
local b,H=bm[bM and bM[a]or 1],bR[a]
local O,i,d,e,g,p,aj=b.definition,b.kind,0,h,0,nil,nil
if H then
local x,bZ,l=nil,nil,nil
if#H==b.bytes then bZ,l,e,d,aj=al(b.numbers,H)end
if bZ==O and l==0 then
g=d
elseif aW(H,O,1,true)==1 then
local f=#O+1
aj=nil
local au,l=#H-f,nil
if au>=9 then
l,e,d=al("<Bi6I3",H,f)
g,f=d,f+10
if l>0 then
local D=l%4
local bx,bw=l%16>=bG,l%32>=bE
if au<9+2*D+(bx and 7 or 0)+(bw and 7 or 0)then
f=nil
else
if D>0 then d,f=al(D==1 and"<I5"or"<I7",H,f-3)end
g=l%16>=bD and 0 or d
if bx then g,f=al("<I7",H,f)end
if bw then p,f=al("<I7",H,f)end
end
end
else
f=nil
end
av=f==#H+1
else
av=false
end
if i>=W and av then
if i<W then
x=d==0 and 0 or e-h+ad(d/b.refill_per_ms)
elseif i==W then
x=d==0 and 0 or e+ad(d/b.rate)*b.period-h
else
x=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
aj=x>0 and h+x or nil
end
else
ae=ae or{}
ae[#ae+1]=KEYS[a]
if i>=W then e=h-(h-(bH and bH[a]or 0))%b.period end
end
if e>h or b.rate==0 or i>=ch then av=false end
if not av then break end
local f=dk+dl*(a-1)
w[f+1],w[f+2]=d,h-e
if p or g~=d then
B=B or{}
local C=#B
B[C+1],B[C+2],B[C+3],B[C+4]=a,d-g,p or 0,0
end
if N then
G[a],aT[a],bq[a],aS[a],bu[a],dJ[a]=b,d,e,g,p,aj
else
local r,ak
if i<W then
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
r,ak=d,b.ticks_per_unit
elseif i==W then
local t=h-e
if t>=b.period then
local J=T(t/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,ak=d,1
else
local t=h-e
if t>=b.period then
local J=T(t/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-A(0,h-e))end
ak=1
end
if r+b.ticks_per_unit<=b.capacity_ticks then
d,g,S=d+ak,g+ak,S+1
local O,l,x,aB,aN,y,aq=b.definition,0,nil,false,nil,nil,nil
if i<W then
x=d==0 and 0 or e-h+ad(d/b.refill_per_ms)
elseif i==W then
x=d==0 and 0 or e+ad(d/b.rate)*b.period-h
else
x=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if ba==0 then aB=aj and h+x<=aj end
if i<W and d<16777216 and g==d then
if ba==0 and not aB then
x=P(as,x+T(x/4))
aj=h+x
end
aN=aj or h
end
if d<16777216 and g==d and not p then
if aN then y=Q("<c0Bi6I3i6",O,l,e,d,aN)
else y=Q("<c0Bi6I3",O,l,e,d)
end
else
local aA,B="<c0Bi6I3",""
if d>=1099511627776 then aA,l="<c0Bi6I7",l+2
elseif d>=16777216 then aA,l="<c0Bi6I5",l+1
end
if g~=d and g==0 then l=l+bD
elseif g~=d then l,B=l+bG,Q("<I7",g)
end
if p then l,B=l+bE,B..Q("<I7",p)end
y=Q(aA,O,l,e,d)..B
end
if not aB then
aq=cn("%d",(x<as and x or as)+ba)
end
E[a],cI[a]=y,aq
end
end
end
if ae and av and(#ae>aP or V("EXISTS",unpack(ae))>0)then av=false end
if av and N then
local f,C=1,#N
while f<=C do
local R,cJ,bY=f,f,true
if N[f]==cG then R,cJ=f+2,f+1+N[f+1]end
for cb=R,cJ do
local a=N[cb]
local b,d,e,g,p=G[a],aT[a],bq[a],aS[a],bu[a]
local i=b.kind
local r,ak
if i<W then
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
r,ak=d,b.ticks_per_unit
elseif i==W then
local t=h-e
if t>=b.period then
local J=T(t/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,ak=d,1
else
local t=h-e
if t>=b.period then
local J=T(t/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-A(0,h-e))end
ak=1
end
aT[a],bq[a],aS[a],bu[a]=d,e,g,p
bY=bY and r+b.ticks_per_unit<=b.capacity_ticks
end
for cb=R,bY and cJ or 0 do
local a=N[cb]
local b=G[a]
local ak=b.kind==bF and 1 or b.ticks_per_unit
aT[a],aS[a],aJ[a]=aT[a]+ak,aS[a]+ak,true
S=S+1
end
f=cJ+1
end
for a=1,ay do
if aJ[a]then
local b,d,e,g,p,aj=G[a],aT[a],bq[a],aS[a],bu[a],dJ[a]
local i=b.kind
local O,l,x,aB,aN,y,aq=b.definition,0,nil,false,nil,nil,nil
if i<W then
x=d==0 and 0 or e-h+ad(d/b.refill_per_ms)
elseif i==W then
x=d==0 and 0 or e+ad(d/b.rate)*b.period-h
else
x=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if ba==0 then aB=aj and h+x<=aj end
if i<W and d<16777216 and g==d then
if ba==0 and not aB then
x=P(as,x+T(x/4))
aj=h+x
end
aN=aj or h
end
if d<16777216 and g==d and not p then
if aN then y=Q("<c0Bi6I3i6",O,l,e,d,aN)
else y=Q("<c0Bi6I3",O,l,e,d)
end
else
local aA,B="<c0Bi6I3",""
if d>=1099511627776 then aA,l="<c0Bi6I7",l+2
elseif d>=16777216 then aA,l="<c0Bi6I5",l+1
end
if g~=d and g==0 then l=l+bD
elseif g~=d then l,B=l+bG,Q("<I7",g)
end
if p then l,B=l+bE,B..Q("<I7",p)end
y=Q(aA,O,l,e,d)..B
end
if not aB then
aq=cn("%d",(x<as and x or as)+ba)
end
E[a],cI[a]=y,aq
end
end
end
if av then
for a=1,ay do
if E[a]then
local bC
if cI[a]then bC=cX("PSETEX",KEYS[a],cI[a],E[a])
else bC=cX("SET",KEYS[a],E[a],"KEEPTTL")
end
ap=ap or bC.err
end
end
if ap then
local y=type(ap)=="table"and ap.err or ap
S=nil
for k,cl in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aW(y,cl,1,true)then S=-k end
end
local by=aW(y,"READONLY ",1,true)
if by then return{err=string.sub(y,by)}end
if not S then error(ap,0)end
end
w[dj],w[#w+1]=S,B and#B/en or 0
for f=1,B and#B or 0 do w[#w+1]=B[f]end
return w
end
elseif bA.lends then
local cy,gA,bb=string.rep,string.sub,table.remove
local fj={[df]=be,[dd]=W,[de]=bF}
local av,ae,w,S,B,ap=true,nil,{h,0},0,nil,nil
for K,b in ipairs(bm)do
b.base=fj[b.kind]or b.kind
b.unit=b.base==bF and 1 or b.ticks_per_unit
end
local G,aT,bq,aS,bu,cW,aJ={},{},{},{},{},{},{}
local cU,cN,cf={},{},{}
local M={}
for a=1,ay do
local b,H=bm[bM and bM[a]or 1],bR[a]
local O,i,d,e,g,p=b.definition,b.base,0,h,0,nil
local j,Z,z=nil,0,0
if not H then
ae=ae or{}
ae[#ae+1]=KEYS[a]
if i>=W then e=h-(h-(bH and bH[a]or 0))%b.period end
elseif aW(H,O,1,true)==1 then
local f=#O+1
local au,l=#H-f,nil
if au>=9 then
l,e,d=al("<Bi6I3",H,f)
g,f=d,f+10
if l>0 then
local D=l%4
local bx,bw=l%16>=bG,l%32>=bE
if au<9+2*D+(bx and 7 or 0)+(bw and 7 or 0)then
f=nil
else
if D>0 then d,f=al(D==1 and"<I5"or"<I7",H,f-3)end
g=l%16>=bD and 0 or d
if bx then g,f=al("<I7",H,f)end
if bw then p,f=al("<I7",H,f)end
end
end
else
f=nil
end
if i==b.kind and i<W and f==#H-5 then f=#H+1 end
if f then z=(#H+1-f)/eo end
av=f and(z==0 or l<dc and i~=b.kind and z%1==0 and z<=cD)
if av and z>0 then
cf[a]=gA(H,f)
j={al(cy(cE,z),cf[a])}
j[#j]=nil
for k=2,#j,U do Z=Z+j[k]end
end
else
av=false
end
if e>h or b.rate==0 or i>=ch then av=false end
if not av then break end
local cb=dk+dl*(a-1)
w[cb+1],w[cb+2]=d,h-e
if p or g~=d then
B=B or{}
local C=#B
B[C+1],B[C+2],B[C+3],B[C+4]=a,d-g,p or 0,0
end
if i~=b.kind then
local C=#M+1
M[C]=j and#j/U or 0
for k=1,j and#j or 0 do M[C+k]=j[k]end
end
if j and i==be then
local af=Z*b.ticks_per_unit
local k,aL=1,A(h,e)
while k<#j and j[k]<=aL do
local s=j[k]
if s>e then
d,e=A(af,d-(s-e)*b.refill_per_ms),s
end
af,k=af-j[k+1]*b.ticks_per_unit,k+U
end
if h>e then d,e=A(af,d-(h-e)*b.refill_per_ms),h end
g,cW[a]=P(g,d-af),d
else
local r,ak
if i<W then
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
r,ak=d,b.ticks_per_unit
elseif i==W then
local t=h-e
if t>=b.period then
local J=T(t/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,ak=d,1
else
local t=h-e
if t>=b.period then
local J=T(t/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-A(0,h-e))end
ak=1
end
cW[a]=r
end
while j and j[1]and j[1]<=h do
Z,cf[a]=Z-j[2],nil
for K=1,U do bb(j,1)end
end
G[a],aT[a],bq[a],aS[a],bu[a]=b,d,e,g,p
cU[a],cN[a]=j,Z
end
if ae and av and(#ae>aP or V("EXISTS",unpack(ae))>0)then av=false end
if av then
local f,C=1,N and#N or ay
while f<=C do
local a,z,cd,v,br,az,bt=N and N[f]or f,1,0,0,0,0,0
f=f+1
if a==bS then
a,z,cd,v,br,az,bt=unpack(N,f,f+6)
f=f+7
end
local b,j,Z=G[a],cU[a],cN[a]
local d,r,g=aT[a],cW[a],aS[a]
local ak,cg=b.unit,b.ticks_per_unit
if az+bt>0 then
j,aJ[a]=j or{},true
local bn,bB=0,0
for cz=1,az+bt do
local dV,o,k=N[f],N[f+1],U
while j[k]and j[k]~=dV do k=k+U end
if j[k]then
local p=j[k-1]
local bQ=P(p,o)
local aB=cz>az and 0 or bQ
j[k-1],Z,bB=aB,Z-p+aB,bB+p-bQ
if cz>az then bn=bn+bQ end
for K=1,aB==0 and U or 0 do bb(j,k-2)end
end
f=f+2
end
d,r,g=d-bn*ak,r-bn*cg,g+bB*ak
if bn+bB>0 then cf[a]=nil end
end
local aa=cd==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if r+A(1,z)*cg<=aa then
d,r,g=d+z*ak,r+z*cg,g+z*ak
aJ[a],S=true,S+1
if br>0 and b.share then
local bK=h+b.share
if b.base~=be then bK=P(bK,bq[a]+b.period)end
j=j or{}
local o=0
if br>0 and#j<U*cD then
local dE=T(b.capacity_ticks/b.ticks_per_unit/2)
o=P(br,ad(T((b.capacity_ticks-r)/b.ticks_per_unit)/2),dE-Z)
end
if o>0 then
local I,s=o,A(bK,j[#j-2]or bK)
for k=#j,U,-U do
if j[k]==v then
I=I+j[k-1]
for K=1,U do bb(j,k-2)end
end
end
local C=#j
j[C+1],j[C+2],j[C+3]=s,I,v
Z=Z+o
else
o=0
end
if o>0 then cf[a]=nil end
d,r,S=d+o*ak,r+o*cg,S+o
end
end
aT[a],cW[a],aS[a],cU[a],cN[a]=d,r,g,j,Z
end
for a=1,ay do
if aJ[a]and not ap then
local b,d,e,g,p=G[a],aT[a],bq[a],aS[a],bu[a]
local O,i,l,x,y=b.definition,b.base,0,nil,nil
local j,aN=cU[a],nil
local eH=j and j[1]
if eH and i==be then
local af=cN[a]*b.ticks_per_unit
local bk,s=d,e
for k=1,#j,U do
if j[k]>e then
bk=A(af,bk-(j[k]-s)*b.refill_per_ms)
s,af=j[k],af-j[k+1]*b.ticks_per_unit
end
end
x=bk<=0 and 0 or s+ad(bk/b.refill_per_ms)-h
else
if i<W then
x=d==0 and 0 or e-h+ad(d/b.refill_per_ms)
elseif i==W then
x=d==0 and 0 or e+ad(d/b.rate)*b.period-h
else
x=d>0 and e+2*b.period-h or p and e+b.period-h or 0
end
end
local bC,aq
if x<=0 then
bC=cX("DEL",KEYS[a])
else
if d<16777216 and g==d and not p then
if aN then y=Q("<c0Bi6I3i6",O,l,e,d,aN)
else y=Q("<c0Bi6I3",O,l,e,d)
end
else
local aA,B="<c0Bi6I3",""
if d>=1099511627776 then aA,l="<c0Bi6I7",l+2
elseif d>=16777216 then aA,l="<c0Bi6I5",l+1
end
if g~=d and g==0 then l=l+bD
elseif g~=d then l,B=l+bG,Q("<I7",g)
end
if p then l,B=l+bE,B..Q("<I7",p)end
y=Q(aA,O,l,e,d)..B
end
aq=cn("%d",(x<as and x or as)+ba)
if eH then
y=y..(cf[a]or Q(cy(cE,#j/U),unpack(j)))
end
bC=cX("PSETEX",KEYS[a],aq,y)
end
if type(bC)=="table"then ap=bC.err end
end
end
if ap then
local y=type(ap)=="table"and ap.err or ap
S=nil
for k,cl in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aW(y,cl,1,true)then S=-k end
end
local by=aW(y,"READONLY ",1,true)
if by then return{err=string.sub(y,by)}end
if not S then error(ap,0)end
end
w[dj],w[#w+1]=S,B and#B/en or 0
for f=1,B and#B or 0 do w[#w+1]=B[f]end
for f=1,#M do w[#w+1]=M[f]end
return w
end
end
local G,d,e,g={},{},{},{}
local ab,ah,q,ax,aY={},{},{},{},{}
local cV,ck,cp,dF={},{},{},{}
local aC,aJ={},{}
local bo,dC={},{}
local ce,bV,eD,fi,dw
local cs,ct
local function bz(a)
aC[a],d[a],e[a],g[a]=true,-1,h,0
end
local function fD(a,l,f)
local H=bR[a]
if dr(l,dc)~=0 then ah[a],f=al(eg,H,f)end
if dr(l,ei)~=0 then cV[a],f=al(el,H,f)end
if dr(l,eh)~=0 then
ck[a]={al(cB,H,f)}
f=ck[a][4]
end
cp[a]=string.sub(H,f)
end
local bh,bf,bg=d,e,g
local function eA(a,ga)
local H,f,d,e,g,p=bR[a],ga+1,nil,nil,nil,nil
local au,l=#H-f,nil
if au>=9 then
l,e,d=al("<Bi6I3",H,f)
g,f=d,f+10
if l>0 then
local D=l%4
local bx,bw=l%16>=bG,l%32>=bE
if au<9+2*D+(bx and 7 or 0)+(bw and 7 or 0)then
f=nil
else
if D>0 then d,f=al(D==1 and"<I5"or"<I7",H,f-3)end
g=l%16>=bD and 0 or d
if bx then g,f=al("<I7",H,f)end
if bw then p,f=al("<I7",H,f)end
end
end
else
f=nil
end
if not f then return false end
bh[a],bf[a],bg[a],ab[a]=d,e,g,p
return f>#H or pcall(fD,a,l,f)
end
local ae,aw,aI={},nil,{}
for K,b in ipairs(bm)do aI[b.kind]=true end
for a=1,ay do
local b,H=bm[bM and bM[a]or 1],bR[a]
G[a]=b
if not H then
ae[#ae+1]=a
else
local fU=aW(H,b.definition,1,true)==1 and eA(a,#b.definition)
if not fU or cV[a]or e[a]>h then
aw=aw or{}
aw[#aw+1]=a
end
end
end
local bs,fh
if N then
bs={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function fh(f)
local ac,er=N[f],N[f+1]
if ac>0 then return 1 end
if ac==bS then return 1+bs[bS]+2*(N[f+6]+N[f+7])end
local fT=ac==dn or ac==dg
return 1+bs[ac]+(fT and cZ*er or ac==cG and er or 0)
end
end
local aH={}
local function ci(a,i,bi)
d[a]=d[a]+bi
if i.record and bi~=0 then i.record(a,bi)end
end
local function fz(a,b,z)
local i,fd=b.algorithm,z*b.counts_per_unit
i.advance(a,b)
ci(a,i,fd)
g[a]=g[a]+fd
end
local function gw(a,b,eW,gl)
local i,dB=b.algorithm,gl-eW
i.advance(a,b)
local aa=(i.most_counts and i.most_counts(b)or as)-d[a]-(ab[a]or 0)
local fY=i.queues and 0 or-g[a]
ci(a,i,A(fY,P(dB*b.counts_per_unit,A(0,aa))))
g[a]=P(A(0,g[a]-eW*b.counts_per_unit),d[a])
if dB>0 and ax[a]then ce(a,b,dB,bd)end
end
local function fx(a,b,r,cw,f)
local i,fe=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if i.open then i.open(a,b)end
d[a],e[a],ab[a]=0,i.is_aligned and f-(f-(bH and bH[a]or 0))%b.period or f,nil
ci(a,i,ad(r/fe))
g[a]=T(cw/fe)
end
local function fW(a,b,u)
local i=b.algorithm
if not i.has_history or b.period~=u.period then return false end
local function fa(O)return string.match(O,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return fa(b.definition)==fa(u.definition)and i.used(a,b)<=b.capacity_ticks
end
local function aO(i)
i.charge,i.settle,i.begin,i.keep=fz,gw,fx,fW
return i
end
local function es(b)
b.algorithm=aH[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local dL=aI[df]or aI[dd]or aI[de]
if dL then aI[be],aI[W],aI[bF]=true,true,true end
if aw or aI[be]then
local at={is_reservable=true}
local function dD(ar,n)
while n~=0 do ar,n=n,ar%n end
return ar
end
function at.define(b)
local cA=dD(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cA,b.rate/cA
end
function at.used(a,b)
local d,e,g=d[a],e[a],0
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local bh,bf,bg=d,e,g
function at.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
bh[a],bf[a],bg[a]=d,e,g
end
function at.reset_after(a,b)
local d,e,g,x=d[a],e[a],0,nil
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
x=d==0 and 0 or e-h+ad(d/b.refill_per_ms)
return x
end
aH[be]=aO(at)
end
if aw or aI[W]then
local aF={is_aligned=true,is_reservable=true}
function aF.used(a,b)
local d,e,g=d[a],e[a],0
local t=h-e
if t>=b.period then
local J=T(t/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local bh,bf,bg=d,e,g
function aF.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local t=h-e
if t>=b.period then
local J=T(t/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
bh[a],bf[a],bg[a]=d,e,g
end
function aF.reset_after(a,b)
local d,e,g,x=d[a],e[a],0,nil
local t=h-e
if t>=b.period then
local J=T(t/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
x=d==0 and 0 or e+ad(d/b.rate)*b.period-h
return x
end
function aF.most_counts(b)
return b.rate==0 and as or P(as,T(as/b.period)*b.rate)
end
aH[W]=aO(aF)
end
if aw or aI[bF]then
local aF={is_aligned=true,has_history=true,counts_units=true}
function aF.define(b)
b.ticks_per_unit=b.period
end
function aF.used(a,b)
local d,e,g,p,r=d[a],e[a],0,ab[a],nil
local t=h-e
if t>=b.period then
local J=T(t/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-A(0,h-e))end
return r
end
local bh,bf,bg=d,e,g
function aF.advance(a,b)
local d,e,g,p=d[a],e[a],g[a],ab[a]
local t=h-e
if t>=b.period then
local J=T(t/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
bh[a],bf[a],bg[a],ab[a]=d,e,g,p
end
function aF.reset_after(a,b)
local d,e,g,p,x=d[a],e[a],0,ab[a],nil
local t=h-e
if t>=b.period then
local J=T(t/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
x=d>0 and e+2*b.period-h or p and e+b.period-h or 0
return x
end
function aF.most_counts(b)
return T(as/b.period)
end
aH[bF]=aO(aF)
end
if aw or aI[ch]then
function cs(a,b)
return(string.gsub(KEYS[dF[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cm(aG,X)
local E=redis.pcall(aG,X,0,0)
if not E.err then return E end
if not aW(E.err,"WRONGTYPE",1,true)then error(E.err)end
end
function ct(X,aG,au)
local E=cm(aG,X)
if not E then return false end
if E[1]and#E[1]~=au then return false end
if E[1]then V("UNLINK",X)end
return true
end
local function dI(a,c,aG,au)
local E=cm(aG,c.key)
if not E or E[1]and#E[1]~=au then return bz(a)end
return E[1]~=nil
end
local function bW(aG,X,bI)
for R=1,#bI,aP do
V(aG,X,unpack(bI,R,P(R+aP-1,#bI)))
end
end
local function aL(a)
return A(e[a],h)
end
local function ea(dX)
local aM={}
for X in pairs(dX)do aM[#aM+1]=X end
table.sort(aM)
return aM
end
local db,bc,dm="<i6I7",13,9007199254740992
local aV=32
local bT=aV*bc
local di=1024
local an={has_history=true,keeps_list=true}
local function gg(Y,o)
return Y>=dm-o and Y-(dm-o)or Y+o
end
local function bL(Y,dA)
return Y<dA and Y-dA+dm or Y-dA
end
local function eS(c,dQ)
local y=c.read[dQ]
if not y then
y=V("LINDEX",c.key,dQ-1)
c.read[dQ]=y
end
return y
end
local function bv(c,ag)
local y,dO=c.tail,(ag-c.pages*aV-1)*bc
if dO<0 then y,dO=eS(c,ad(ag/aV)),(ag-1)%aV*bc end
local s,Y=al(db,y,dO+1)
return s-c.shift,Y
end
local function bO(c,ag)
if ag==c.head then return c.base end
local K,Y=bv(c,ag)
return Y
end
local function eM(c,s)
local aD,aK=c.head,c.length
if aD==aK or bv(c,aD+1)>s then return aD end
while aD<aK do
local aX=ad((aD+aK)/2)
if bv(c,aX)<=s then aD=aX else aK=aX-1 end
end
return aD
end
local function eL(c,o)
local aD,aK=c.head,c.length
while aD<aK do
local aX=ad((aD+aK)/2)
if bL(c.sum,bO(c,aX))>=o then aD=aX else aK=aX-1 end
end
return aD
end
local function dY(c,aE)
c.tail,c.length=aE,c.pages*aV+#aE/bc
c.sum=c.length>c.head and select(2,bv(c,c.length))or c.base
end
local function ep(c,s,Y)
c.tail=c.tail..Q(db,s+c.shift,Y)
c.length,c.sum=c.length+1,Y
end
function an.open(a,b)
local X=cs(a,b)
local dG=q[a]and q[a].key==X and q[a].is_apart
q[a]={
key=X,is_apart=dG,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return q[a]
end
function an.load(a,b)
local c,am,aE=an.open(a,b),ck[a],cp[a]or""
if#aE%bc~=0 then return bz(a)end
if am then
c.pages,c.head,c.shift=am[1],am[2],am[3]
c.is_apart,c.stored=c.pages>0,c.pages
end
if c.is_apart and not dI(a,c,"LRANGE",bT)then
c.is_apart,c.pages,c.head,c.stored=false,0,0,0
aE=Q(db,e[a]+c.shift,d[a])
end
dY(c,aE)
c.base=bL(c.sum,d[a])
end
local function cL(a,b)
local c,bl=q[a],aL(a)-b.period
if c.over~=bl then c.over,c.last_over=bl,eM(c,bl)end
return c.last_over
end
function an.used(a,b)
local c=q[a]
return bL(c.sum,bO(c,cL(a,b)))
end
function an.advance(a,b)
local c,bl=q[a],cL(a,b)
c.base=bO(c,bl)
c.head=bl
d[a]=bL(c.sum,c.base)
g[a]=P(g[a],d[a])
end
function an.reset_after(a,b)
local c=q[a]
if c.length==c.head then return 0 end
return A(0,bv(c,c.length)+b.period-h)
end
local function gh(a,o)
local c,s=q[a],aL(a)
local Y=gg(c.sum,o)
if c.length==c.head then c.base,Y=0,o end
if c.length>c.head and bv(c,c.length)==s then
c.tail,c.length=string.sub(c.tail,1,-bc-1),c.length-1
end
ep(c,s,Y)
e[a]=s
end
local function gE(c,ag)
if ag<=c.pages*aV then
local ee=A(0,ad(ag/aV)-1)
local aE=ag>0 and string.sub(eS(c,ee+1),1,(ag-ee*aV)*bc)or""
c.pages=ee
return dY(c,aE)
end
dY(c,string.sub(c.tail,1,(ag-c.pages*aV)*bc))
end
local function gC(a,o)
local c=q[a]
local C,Y=eL(c,o),bL(c.sum,o)
c.cuts[C],c.cuts[C+1]=true,true
local s=C<c.length and Y~=bO(c,C)and bv(c,C+1)
gE(c,C)
if s then ep(c,s,Y)end
end
function an.record(a,bi)
if bi>0 then gh(a,bi)else gC(a,-bi)end
end
function an.note(a,b,aa)
local c=q[a]
if ah[a]and ah[a]>h then c.cuts[eM(c,A(e[a],ah[a])-b.period)]=true end
if aa>=0 and an.used(a,b)>aa then c.cuts[eL(c,aa+1)+1]=true end
end
function an.note_each(a,b,o)
local c,ag=q[a],cL(a,b)
local p,aa=bO(c,ag),an.used(a,b)+o-b.capacity_ticks
while ag<c.length and bL(bO(c,ag),p)<aa do
ag=ag+1
c.cuts[ag]=true
end
bo[a].is_whole=ag==c.length
if not bo[a].is_whole then an.note(a,b,-1)end
end
function an.see(a,b)
local c,bl=q[a],cL(a,b)
bo[a]={
key=c.key,pages=c.pages,head=bl,base=bO(c,bl),length=c.length,shift=c.shift,
tail=c.tail,read=c.read,cuts=c.cuts,
}
end
function an.show(a,w)
local M,z=bo[a],#w+1
local Y,bp=M.base,0
if M.length>M.head then M.cuts[M.head+1],M.cuts[M.length]=true,true end
w[z]=0
for K,ag in ipairs(ea(M.cuts))do
if ag>M.head and ag<=M.length then
local s,cx=bv(M,ag)
w[#w+1],w[#w+2]=s,bL(cx,Y)
Y,bp=cx,bp+1
end
end
w[z]=M.is_whole and bp or-bp
end
function an.divide(a)
local c=q[a]
if c.length==c.head then c.pages,c.head,c.tail,c.shift=0,0,"",0 end
c.dropped=P(T(c.head/aV),c.pages,di)
c.kept=c.pages-c.dropped
local bZ,aE,cS=c.head-c.dropped*aV,c.tail,{}
if c.kept==0 then bZ,aE=0,string.sub(aE,bZ*bc+1)end
local dH=nil
while#aE>bT do
if dH==nil then dH=c.is_apart or ct(c.key,"LRANGE",bT)end
if not dH then break end
cS[#cS+1],aE=string.sub(aE,1,bT),string.sub(aE,bT+1)
end
c.pushed=cS
local eT=c.kept+#cS
return(eT>0 or c.shift~=0)and Q(cB,eT,bZ,c.shift)or"",aE
end
function an.write(a,aq)
local c=q[a]
if c.is_apart and c.kept==0 then V("UNLINK",c.key)
elseif c.is_apart and(c.dropped>0 or c.pages<c.stored)then
V("LTRIM",c.key,c.dropped,c.pages-1)
end
bW("RPUSH",c.key,c.pushed)
if c.kept+#c.pushed>0 then V("PEXPIRE",c.key,aq)end
end
function an.rewind(a,ao)
q[a].shift,q[a].over=q[a].shift+ao,nil
end
aH[ch]=aO(an)
local gv=an.keep
function an.keep(a,b,u)
if not gv(a,b,u)then return false end
dw(a,b,"LRANGE",bT)
return true
end
end
if aw or aI[ej]then
local at={is_reservable=true}
local function dD(ar,n)
while n~=0 do ar,n=n,ar%n end
return ar
end
function at.define(b)
local cA=dD(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cA,b.rate/cA
end
function at.used(a,b)
local d,e,g=d[a],e[a],0
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local bh,bf,bg=d,e,g
function at.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
bh[a],bf[a],bg[a]=d,e,g
end
function at.reset_after(a,b)
local d,e,g,x=d[a],e[a],0,nil
local t=h-e
if t>0 then
d,e=d-t*b.refill_per_ms,h
if d<0 then d=0 end
if g>d then g=d end
end
x=d==0 and 0 or e-h+ad(d/b.refill_per_ms)
return x
end
at.queues=true
aH[ej]=aO(at)
end
if aw or aI[da]then
function cs(a,b)
return(string.gsub(KEYS[dF[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function cm(aG,X)
local E=redis.pcall(aG,X,0,0)
if not E.err then return E end
if not aW(E.err,"WRONGTYPE",1,true)then error(E.err)end
end
function ct(X,aG,au)
local E=cm(aG,X)
if not E then return false end
if E[1]and#E[1]~=au then return false end
if E[1]then V("UNLINK",X)end
return true
end
local function dI(a,c,aG,au)
local E=cm(aG,c.key)
if not E or E[1]and#E[1]~=au then return bz(a)end
return E[1]~=nil
end
local function bW(aG,X,bI)
for R=1,#bI,aP do
V(aG,X,unpack(bI,R,P(R+aP-1,#bI)))
end
end
local function aL(a)
return A(e[a],h)
end
local function ea(dX)
local aM={}
for X in pairs(dX)do aM[#aM+1]=X end
table.sort(aM)
return aM
end
local cC,dh,cF="<I7B",8,35184372088832
local di=128
local function bN(D,s)
return cn("%.0f",(D-1)*cF+s)
end
local function dz(o,ed)
local D=1
while o>0 do
if o%2==1 then ed(D)end
o,D=T(o/2),D+1
end
end
local function fA(c,s)
local o,fw=0,A(0,c.floor+c.shift+1)
for D=1,c.sizes do
local aQ=V("ZCOUNT",c.key,bN(D,fw),bN(D,s+c.shift))
o=o+2^(D-1)*aQ
end
return o
end
local function gk(c,v)
local aQ={}
for D=1,c.sizes do aQ[D]=Q(cC,v,D)end
local m={units=0,id=v}
for D,y in ipairs(#aQ>0 and V("ZMSCORE",c.key,unpack(aQ))or{})do
if y then
m.units=m.units+2^(D-1)
m.instant=tonumber(y)-(D-1)*cF-c.shift
end
end
return m.units>0 and m or nil
end
local function gx(c,aZ)
for D=1,c.sizes do
local R,C,aR=bN(D,aZ+c.shift),bN(D+1,-1),{}
for K,gc in ipairs(V("ZRANGEBYSCORE",c.key,"("..R,C))do
aR[#aR+1],aR[#aR+2]=R,gc
end
bW("ZADD",c.key,aR)
end
end
local function gj(c)
local dt,I,E={},{},V("ZRANGE",c.key,0,-1,"WITHSCORES")
for f=1,#E,2 do
local v,D=al(cC,E[f])
local m=dt[v]or{units=0,id=v}
m.instant=tonumber(E[f+1])-(D-1)*cF-c.shift
m.units=m.units+2^(D-1)
if not dt[v]then dt[v],I[#I+1]=m,m end
end
return I
end
local function gH(c,gn,cj)
local aQ,aR={},{}
for v,m in pairs(gn)do
dz(m.units,function(D)aQ[#aQ+1]=Q(cC,v,D)end)
end
for K,m in pairs(cj)do
dz(m.units,function(D)
aR[#aR+1],aR[#aR+2]=bN(D,m.instant+c.shift),Q(cC,m.id,D)
end)
end
bW("ZREM",c.key,aQ)
bW("ZADD",c.key,aR)
return#aR/2
end
local function fI(c,cj)
local az=di+cj
for D=1,c.sizes do
local R,C=bN(D,0),bN(D,A(-1,c.floor+c.shift))
local aQ=az>0 and V("ZRANGEBYSCORE",c.key,R,C,"LIMIT",0,az)or{}
bW("ZREM",c.key,aQ)
az=az-#aQ
end
end
local ek,fl="<i6I4I7",17
local fo=-cF
local fm=16
local L={holds_leases=true,keeps_list=true}
function L.open(a,b)
local X=cs(a,b)
local dG=q[a]and q[a].key==X and q[a].is_apart
q[a]={
key=X,is_apart=dG,shift=0,cuts={},kept={},sizes=0,floor=fo,
found={},removed={},added={},
}
return q[a]
end
function L.load(a,b)
local c,am,y=L.open(a,b),ck[a],cp[a]or""
if#y%fl~=0 then return bz(a)end
local f=1
while f<=#y do
local m={}
m.instant,m.units,m.id,f=al(ek,y,f)
c.kept[#c.kept+1]=m
end
if not am then return end
c.sizes,c.floor,c.shift=am[1],am[2],am[3]
c.is_apart,c.kept=true,nil
if dI(a,c,"ZRANGE",dh)or aC[a]then return end
L.open(a,b).kept[1]={instant=e[a]+b.period,units=d[a],id=bd}
end
local function ey(c,s)
if s<=c.floor then return 0 end
if not c.kept then return fA(c,s)end
local o=0
for K,m in ipairs(c.kept)do
if m.instant>s then break end
if m.instant>c.floor then o=o+m.units end
end
return o
end
local function dx(I,c,s)
local o=0
for K,m in pairs(I)do
if m.instant>c.floor and m.instant<=s then o=o+m.units end
end
return o
end
local function ez(c,s)
return ey(c,s)-dx(c.removed,c,s)+dx(c.added,c,s)
end
local function fB(a)
local c,s=q[a],aL(a)
if s<=c.floor then return 0 end
if c.over~=s then c.over,c.units_over=s,ez(c,s)end
return c.units_over
end
function L.used(a)
return d[a]-fB(a)
end
function L.advance(a)
d[a]=L.used(a)
q[a].floor=A(q[a].floor,aL(a))
end
local function fL(c,v)
for K,m in ipairs(c.kept)do
if m.id==v then return m end
end
end
local function fM(c,v)
if c.found[v]==nil then
c.found[v]=(c.kept and fL or gk)(c,v)or false
end
return c.found[v]or nil
end
local function eF(c,v)
local m=c.added[v]or not c.removed[v]and fM(c,v)or nil
return m and m.instant>c.floor and m or nil
end
local function bb(c,v)
local m=eF(c,v)
if not m then return 0 end
if c.added[v]then c.added[v]=nil else c.removed[v]=m end
return m.units
end
local function ci(a,v,o,s)
local c=q[a]
local p=bb(c,v)
c.added[v]={instant=s,units=p+o,id=v}
end
function L.charge(a,b,o,v)
L.advance(a)
e[a]=aL(a)
ci(a,v,o,e[a]+b.period)
d[a]=d[a]+o
end
L.settle=L.advance
function L.reset_after(a,b)
return L.used(a)==0 and 0 or e[a]+b.period-h
end
function L.begin(a,b,r,K,f)
L.open(a,b)
d[a],e[a],ab[a],g[a]=0,f,nil,0
if r>0 then L.charge(a,b,r,bd)end
end
local function et(aj,ao,aZ)
local I={}
for k,m in ipairs(aj)do
I[k]={instant=P(m.instant-ao,aZ),units=m.units,id=m.id}
end
return I
end
function L.keep(a,b,u)
dw(a,b,"ZRANGE",dh)
L.advance(a)
local c,aZ=q[a],aL(a)+b.period
if c.kept then c.kept=et(c.kept,0,aZ)
elseif b.period<u.period and not aC[a]then gx(c,aZ)
end
e[a]=aL(a)
return true
end
local function eR(I,ao)
local eQ={}
for v,m in pairs(I)do eQ[v]={instant=m.instant-ao,units=m.units,id=v}end
return eQ
end
function L.rewind(a,ao)
local c=q[a]
c.floor,c.over,c.found=c.floor-ao,nil,{}
c.added,c.removed=eR(c.added,ao),eR(c.removed,ao)
if c.kept then c.kept=et(c.kept,ao,math.huge)else c.shift=c.shift+ao end
end
local function dS(a,v,z)
L.advance(a)
local c=q[a]
local m=eF(c,v)
if not m or m.units~=z then return false end
d[a]=d[a]-bb(c,v)
return true
end
local function eV(a,b,v,z)
local cq=dS(a,v,z)
if cq then L.charge(a,b,z,v)end
return cq
end
local function eC(a,ed)
for K,n in ipairs(ax[a]or{})do
if G[n].algorithm==L then ed(n,G[n])end
end
end
function L.release(a,K,v,z)
eC(a,function(n)dS(n,v,z)end)
dS(a,v,z)
end
function L.renew(a,b,v,z)
if not eV(a,b,v,z)then return end
eC(a,function(n,eJ)
if not eV(n,eJ,v,z)then L.charge(n,eJ,z,v)end
end)
end
local function fK(a,b,o)
local c,aD,aK=q[a],aL(a),e[a]+b.period
for K,m in ipairs(c.kept or{})do
local cq=m.instant>c.floor and not c.removed[m.id]
if cq then o=o-m.units end
if cq and o<=0 then return m.instant end
end
if c.kept then return aK end
while aD+1<aK do
local aX=T((aD+aK)/2)
if ez(c,aX)>=o then aK=aX else aD=aX end
end
return aK
end
function L.note(a,b,aa)
local c=q[a]
if ah[a]and ah[a]>h then c.cuts[A(e[a],ah[a])]=true end
if aa>=0 and L.used(a)>aa then c.cuts[fK(a,b,d[a]-aa)]=true end
end
function L.note_each(a)
bo[a].is_whole=true
end
function L.see(a,b)
local c=q[a]
bo[a]={
key=c.key,kept=c.kept,sizes=c.sizes,shift=c.shift,floor=A(c.floor,aL(a)),
used=L.used(a),latest=e[a]+b.period,cuts=c.cuts,found=c.found,
}
end
local function ge(M)
local eZ,I=M.found,{}
if M.is_whole then eZ=M.kept or gj(M)end
for K,m in pairs(eZ)do
if m and m.instant>M.floor then I[#I+1]=m end
end
table.sort(I,function(ar,n)return ar.instant<n.instant end)
return I
end
function L.show(a,w)
local M,z,bp,Y,cv=bo[a],#w+1,0,0,1
local dK=ge(M)
local function eY(s,o,v)
w[#w+1],w[#w+2],w[#w+3]=s,o,v
bp=bp+1
end
w[z],M.cuts[M.latest]=0,true
for K,bX in ipairs(ea(M.cuts))do
if bX>M.floor and bX<=M.latest then
local cx=bX==M.latest and M.used or ey(M,bX)
local F=cx-Y
while dK[cv]and dK[cv].instant<=bX do
local m=dK[cv]
eY(m.instant,m.units,m.id)
F,cv=F-m.units,cv+1
end
if F>0 then eY(bX,F,-1-bp)end
Y=cx
end
end
w[z]=bp
end
local function af(c)
local I={}
for K,m in ipairs(c.kept)do
if m.instant>c.floor and not c.removed[m.id]then I[#I+1]=m end
end
for K,m in pairs(c.added)do I[#I+1]=m end
return I
end
function L.divide(a)
local c,E=q[a],{}
if not c.kept and d[a]==dx(c.added,c,math.huge)then c.kept,c.shift={},0 end
if c.kept then
local I=af(c)
if#I<=fm or not(c.is_apart or ct(c.key,"ZRANGE",dh))then
for k,m in ipairs(I)do E[k]=Q(ek,m.instant,m.units,m.id)end
return"",table.concat(E)
end
c.moved=I
end
for K,m in pairs(c.moved or c.added)do
dz(m.units,function(D)c.sizes=A(c.sizes,D)end)
end
return Q(cB,c.sizes,c.floor,c.shift),""
end
function L.write(a,aq)
local c=q[a]
if c.kept and c.is_apart then V("UNLINK",c.key)end
if c.kept and not c.moved then return end
local cj=gH(c,c.removed,c.moved or c.added)
if not c.kept then fI(c,cj)end
V("PEXPIRE",c.key,aq)
end
aH[da]=L
end
if aw or dL then
local cy,bb=string.rep,table.remove
local gF,gy=d,e
local function cR(a)
return A(e[a],h)
end
local function cP(a,ao)
local j={unpack(q[a].shares)}
for k=1,#j,U do j[k]=j[k]-ao end
q[a]={shares=j}
return j
end
local function eB(a)
local j,s=q[a].shares,cR(a)
if not j[1]or j[1]>s then return end
j=cP(a,0)
while j[1]and j[1]<=s do
for K=1,U do bb(j,1)end
end
end
local function cY(a,s)
local j,o=q[a].shares,0
for k=1,#j,U do
if j[k]>s then o=o+j[k+1]end
end
return o
end
local function cw(a)
q[a]={shares={}}
end
local function gb(a)
local y=cp[a]or""
local z=#y/eo
if z%1~=0 or z>cD then return bz(a)end
local j={al(cy(cE,z),y)}
j[#j]=nil
q[a]={shares=j}
end
local function fG(a)
local j=q[a].shares
return"",Q(cy(cE,#j/U),unpack(j))
end
local function gu(a)
bo[a]=q[a].shares
end
local function dZ(a,w)
local j,f=bo[a],#w+1
w[f]=#j/U
for k=1,#j do w[f+k]=j[k]end
end
local function fN(a,b)
if cY(a,cR(a))==0 then return false end
b.algorithm.advance(a,b)
d[a],ab[a],g[a]=cY(a,0)*b.counts_per_unit,nil,0
return true
end
local function dT(a,b,f,az,bt)
b.algorithm.advance(a,b)
local j,Z=cP(a,0),0
local bn,bB=0,0
for cz=1,az+bt do
local dV,o,k=N[f],N[f+1],U
while j[k]and j[k]~=dV do k=k+U end
if j[k]then
local p=j[k-1]
local bQ=P(p,o)
local aB=cz>az and 0 or bQ
j[k-1],Z,bB=aB,Z-p+aB,bB+p-bQ
if cz>az then bn=bn+bQ end
for K=1,aB==0 and U or 0 do bb(j,k-2)end
end
f=f+2
end
d[a]=d[a]-bn*b.counts_per_unit
g[a]=g[a]+bB*b.counts_per_unit
end
local function fZ(a,b,v,br)
if not b.share then return 0 end
local i=b.algorithm
i.advance(a,b)
local j,Z,r=cP(a,0),cY(a,0),i.used(a,b)
local bK=i.lent_until(a,b)
local o=0
if br>0 and#j<U*cD then
local dE=T(b.capacity_ticks/b.ticks_per_unit/2)
o=P(br,ad(T((b.capacity_ticks-r)/b.ticks_per_unit)/2),dE-Z)
end
if o>0 then
local I,s=o,A(bK,j[#j-2]or bK)
for k=#j,U,-U do
if j[k]==v then
I=I+j[k-1]
for K=1,U do bb(j,k-2)end
end
end
local C=#j
j[C+1],j[C+2],j[C+3]=s,I,v
Z=Z+o
else
o=0
end
d[a]=d[a]+o*b.counts_per_unit
return o
end
local function dM(i)
i.open,i.load,i.divide,i.see,i.show,i.rewind=cw,gb,fG,gu,dZ,cP
i.forget,i.report,i.lend=fN,dT,fZ
return aO(i)
end
local at={base=aH[be],is_reservable=true,define=aH[be].define}
local function ds(a,b)
local d,e,j=gF[a],gy[a],q[a].shares
local af=cY(a,0)*b.ticks_per_unit
local k,aL=1,A(h,e)
while k<#j and j[k]<=aL do
local s=j[k]
if s>e then
d,e=A(af,d-(s-e)*b.refill_per_ms),s
end
af,k=af-j[k+1]*b.ticks_per_unit,k+U
end
if h>e then d,e=A(af,d-(h-e)*b.refill_per_ms),h end
return d,e,af
end
function at.used(a,b)
return(ds(a,b))
end
function at.advance(a,b)
local af
d[a],e[a],af=ds(a,b)
g[a]=P(g[a],d[a]-af)
eB(a)
end
function at.reset_after(a,b)
local j,x=q[a].shares,nil
local d,e,af=ds(a,b)
local bk,s=d,e
for k=1,#j,U do
if j[k]>e then
bk=A(af,bk-(j[k]-s)*b.refill_per_ms)
s,af=j[k],af-j[k+1]*b.ticks_per_unit
end
end
x=bk<=0 and 0 or s+ad(bk/b.refill_per_ms)-h
return x
end
function at.lent_until(a,b)
return cR(a)+b.share
end
local function eN(aF)
local i=setmetatable({base=aF},{__index=aF})
function i.advance(a,b)
aF.advance(a,b)
eB(a)
end
function i.lent_until(a,b)
return P(cR(a)+b.share,e[a]+b.period)
end
return i
end
aH[df]=dM(at)
aH[dd]=dM(eN(aH[W]))
aH[de]=dM(eN(aH[bF]))
end
for K,b in ipairs(bm)do es(b)end
local eK=aw or aI[ch]or aI[da]or dL
for R=1,#ae,aP do
local C,aM=P(R+aP-1,#ae),{}
for k=R,C do aM[#aM+1]=KEYS[ae[k]]end
if V("EXISTS",unpack(aM))>0 then
for k=R,C do
if V("EXISTS",KEYS[ae[k]])==1 then bz(ae[k])end
end
end
end
for K,a in ipairs(ae)do
if not aC[a]then G[a].algorithm.begin(a,G[a],0,0,h)end
end
if aw then
local fn=7
local function dR(O)
local ef={}
for gG in string.gmatch(O or"","[^,\\n]+")do ef[#ef+1]=tonumber(gG,36)or false end
local i,aO,cQ,du,cH=unpack(ef)
local bU=aH[i]
if not(bU and aO and cQ)then return nil end
du=du or aO
local b=eU(O,i,aO,cQ,1,0,0,0)
if bU.define then bU.define(b)end
b.capacity_ticks=du*b.ticks_per_unit
if bU.is_reservable and aO>0 then
local aa=(bU.most_counts and bU.most_counts(b)or as)-b.capacity_ticks
b.debt_ticks=cH and P(cH*b.ticks_per_unit,aa)or aa
end
es(b)
return b
end
local cM=ay
local function dN(a)
cM=cM+1
dF[cM]=a
return cM
end
local function fF(a,y)
ax[a]={}
for k,gz in ipairs(cmsgpack.unpack(y))do
local n,O,am=dN(a),nil,nil
O,d[n],e[n],g[n],ab[n],aY[n],am,cp[n]=
unpack(gz)
if ab[n]==0 then ab[n]=nil end
local b=assert(dR(O))
G[n],ax[a][k]=b,n
if am~=""then ck[n]={al(cB,am)}end
if b.algorithm.load then b.algorithm.load(n,b)end
assert(not aC[n])
end
end
function eD(a)
local I,aZ={},h
for k,n in ipairs(ax[a])do
local b,am,co=G[n],"",""
aZ=A(aZ,aY[n])
if b.algorithm.divide then am,co=b.algorithm.divide(n)end
I[k]={
b.definition,d[n],e[n],g[n],ab[n]or 0,aY[n],am,co,
}
end
return cmsgpack.pack(I),aZ-h
end
function fi(a,aq)
for K,n in ipairs(ax[a])do
local i=G[n].algorithm
if i.write then i.write(n,aq)end
end
end
local function fE(a)
local u=dR(string.match(bR[a],"^[^\\n]*\\n"))
if not u or not eA(a,#u.definition)then return nil end
if cV[a]and not pcall(fF,a,cV[a])then return nil end
return u
end
local function dv(r,u,b)
if u.ticks_per_unit==b.ticks_per_unit then return r end
local o=T(r/u.ticks_per_unit)
local gp=(r-o*u.ticks_per_unit)/u.ticks_per_unit
return o*b.ticks_per_unit+P(b.ticks_per_unit,ad(gp*b.ticks_per_unit))
end
local function eP(r,u,b)
return b.capacity_ticks+P(dv(A(0,r-u.capacity_ticks),u,b),b.debt_ticks)
end
local function gr(ar,n)
return(ar.base or ar)==(n.base or n)
end
local function gd(a,b,u)
local cO,cu=u.algorithm,b.algorithm
if gr(cO,cu)and cu.keep(a,b,u)then
if cO.base or cu.base then q[a]=cu.base and{shares={}}or nil end
return
end
cO.advance(a,u)
local r=cO.used(a,u)
local aj=P(dv(r,u,b),eP(r,u,b))
local cw=P(aj,dv(g[a]*u.ticks_per_unit/u.counts_per_unit,u,b))
q[a]=nil
cu.begin(a,b,aj,cw,A(h,e[a]))
end
local function eO(b)
if b.rate==0 then return 2*b.period end
return b.period*A(2,ad(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function ew(ar,n)
d[n],e[n],g[n],ab[n]=d[ar],e[ar],g[ar],ab[ar]
end
local function ex(ar,bj)
for eE,H in pairs(ar)do
if bj[eE]==nil then bj[eE]=H end
end
return bj
end
function dw(a,b,gi,au)
local c=q[a]
local bj=ex(c,{key=cs(a,b),is_beside=false,cuts={},found={},removed={},added={}})
q[a]=bj
if not bj.is_apart or bj.key==c.key then return end
if not ct(bj.key,gi,au)then return bz(a)end
V(c.is_beside and"COPY"or"RENAME",c.key,bj.key)
end
local function ev(a,u,b)
local n=dN(a)
G[n],q[n]=u,q[a]
if q[a]then
q[a].is_beside=true
q[a]=ex(q[a],{})
end
ew(a,n)
aY[n]=P(h+A(u.algorithm.reset_after(n,u),eO(u),eO(b)),as)
return n
end
local function dU(a,b)
if e[a]-h<b.period then return 0 end
local ac=b.algorithm.is_aligned and b.period or 1
local ao=T((e[a]-h)/ac)*ac
e[a],ah[a]=e[a]-ao,ah[a]and A(0,ah[a]-ao)
if q[a]then b.algorithm.rewind(a,ao)end
return ao
end
local function dy(F)
local aj={}
for K,n in ipairs(F or{})do
aY[n]=aY[n]-dU(n,G[n])
if aY[n]>h then aj[#aj+1]=n end
end
return aj
end
local em="1,0,eiz5s00,gjdgxs\\n"
local function dP(F)
for k,n in ipairs(F or{})do
if G[n].definition==em then return n,k end
end
end
local function gf(a)
local ai=dN(a)
G[ai]=dR(em)
d[ai],e[ai],ab[ai],g[ai],aY[ai]=0,h,0,0,0
return ai
end
local function fv(a,u,F)
local ai,k=dP(F)
if ai then table.remove(F,k)else ai=gf(a)end
local r,ca=u.algorithm.used(a,u),u.ticks_per_unit
d[ai]=A(d[ai],ad(r/ca))
ab[ai]=A(ab[ai]or 0,ad((r-u.capacity_ticks)/ca))
aY[ai]=A(aY[ai],P(h+u.algorithm.reset_after(a,u),as))
F[#F+1]=ai
end
local function fC(a,b)
local ai=dP(ax[a])
if not ai then return end
local i,ca=b.algorithm,b.ticks_per_unit
local cH=P((ab[ai]or 0)*ca,b.debt_ticks)
local r=P(d[ai]*ca,b.capacity_ticks+cH)
local eX=r-i.used(a,b)
if eX<=0 then return end
if i.holds_leases then return i.charge(a,b,eX,h)end
i.advance(a,b)
i.begin(a,b,r,g[a]*ca/b.counts_per_unit,A(h,e[a]))
end
local function gD(a,b,u,F)
local K,ai=dP(F)
if u.algorithm.reset_after(a,u)>0 then
local fR=#F-(ai and 1 or 0)>=fn
if fR then fv(a,u,F)
else F[#F+1]=dy({ev(a,u,b)})[1]end
end
ax[a]=#F>0 and F or nil
gd(a,b,u)
fC(a,b)
end
local function gB(a,b,u,F,fX)
dU(a,u)
local n=table.remove(F,fX)
F[#F+1]=ev(a,u,b)
ax[a]=F
ew(n,a)
q[a]=q[n]
end
local function fy(a,b,u)
local F=dy(ax[a])
for k,n in ipairs(F)do
if G[n].definition==b.definition then return gB(a,b,u,F,k)end
end
gD(a,b,u,F)
end
function bV(a,b)
local fQ=e[a]>h and d[a]==0 and(ab[a]or 0)==0 and(ah[a]or 0)<=h
if fQ then b.algorithm.begin(a,b,0,0,h)end
end
local function gm(a,b)
local u=fE(a)
if not u then return bz(a)end
local eI=u.definition==b.definition
if eI and e[a]<=h then return end
if u.algorithm.load then u.algorithm.load(a,u)end
if aC[a]then return end
if not eI then fy(a,b,u)end
dU(a,b)
bV(a,b)
aJ[a]=true
end
function ce(a,b,z,m)
local F=dy(ax[a])
ax[a]=#F>0 and F or nil
local r=b.algorithm.used(a,b)
for K,n in ipairs(F)do
local bP,o=G[n],z
if m==bd or not bP.algorithm.holds_leases then
local gq=eP(r,b,bP)-bP.algorithm.used(n,bP)
o=P(z,T(gq/bP.ticks_per_unit))
end
if o>0 then bP.algorithm.charge(n,bP,o,m~=bd and m or h)end
end
end
for K,a in ipairs(aw)do gm(a,G[a])end
end
for a=1,eK and ay or 0 do
local b=G[a]
if b.algorithm.load and not aC[a]then
if not q[a]then b.algorithm.load(a,b)end
if not aC[a]then b.algorithm.see(a,b)end
end
end
local w,cT={h,0},{}
for a=1,ay do
local f=dk+dl*(a-1)
local cr,cK=d[a],g[a]
if G[a].algorithm.note and not aC[a]then
cr=G[a].algorithm.used(a,G[a])
cK=P(cK,cr)
end
w[f+1],w[f+2]=cr,h-e[a]
if cK~=cr and not aC[a]then cT[a]=cr-cK end
end
local dq=#w+1
w[dq]=0
if next(cT)or next(ab)or next(ah)then
for a=1,ay do
if cT[a]or ab[a]or ah[a]then
local f=#w
w[dq]=w[dq]+1
w[f+1],w[f+2],w[f+3],w[f+4]=a,cT[a]or 0,ab[a]or 0,ah[a]or 0
end
end
end
local S=0
local function eG(a,b,r,aa)
local fP=ah[a]and ah[a]>h
return not fP and b.algorithm.used(a,b)+r<=aa
end
local function bY(a,b,r,aa)
if aw then bV(a,b)end
if aC[a]then return false end
if eG(a,b,r,aa)then return true end
local i=b.algorithm
if i.note then i.note(a,b,aa-r)end
return false
end
local function eb(a,b,z,m)
b.algorithm.charge(a,b,z,m)
if ax[a]then ce(a,b,z,m)end
aJ[a]=true
end
local function fc(a)
local b=G[a]
if not bY(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
eb(a,b,1,bd)
S=S+1
end
if not N then
for a=1,ay do fc(a)end
else
local function eq(f,aU)
if aU==1 then return N[f],1,0,0,bd end
return unpack(N,f,f+aU-1)
end
local function ec(R,C,aU,fS)
local dp=not fS
for f=R,C,aU do
local a,z,cd,fO=eq(f,aU)
local b=G[a]
local aa=cd==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dp=bY(a,b,A(1,z)*b.ticks_per_unit+fO,aa)and dp
end
for f=R,dp and C or 0,aU do
local a,z,K,K,m=eq(f,aU)
if z>0 then eb(a,G[a],z,m)end
S=S+1
end
end
local function dZ(a,o)
local i=G[a].algorithm
if i.note_each and not aC[a]then i.note_each(a,G[a],o)end
end
local function bJ(a,b,i,ao)
i.advance(a,b)
local aB=i.is_aligned or i.holds_leases and d[a]>0
if not aB then e[a]=A(e[a],h)end
ah[a]=A(e[a],h)+ao
end
local function fb(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function go(a,b,i)
if ah[a]and ah[a]<=h then ah[a]=nil end
local Z={}
for K,n in ipairs(ax[a]or{})do
if aY[n]>h and fb(n,G[n])then Z[#Z+1]=n
else dC[#dC+1]=q[n]
end
end
ax[a]=#Z>0 and Z or nil
if not fb(a,b)then i.begin(a,b,0,0,h)end
end
local function bi(ac,a,R,dW)
local b=G[a]
local i=b.algorithm
if aC[a]then return end
if aw then bV(a,b)end
if ac==fs then i.settle(a,b,R,dW)
elseif ac==fr then go(a,b,i)
elseif ac==fk then bJ(a,b,i,R)
elseif ac==fu then ah[a]=nil
elseif ac==fp and i.holds_leases then i.release(a,b,R,dW)
elseif ac==fq and i.holds_leases then i.renew(a,b,R,dW)
end
if aw then bV(a,b)end
aJ[a]=true
end
local function fH(f)
local a,z,cd,v,br,az,bt=unpack(N,f+1,f+bs[bS])
local b=G[a]
local i=b.algorithm
if aC[a]then return end
if aw then bV(a,b)end
if az+bt>0 then
local dT=i.report or i.advance
dT(a,b,f+1+bs[bS],az,bt)
aJ[a]=true
end
local aa=cd==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not eG(a,b,A(1,z)*b.ticks_per_unit,aa)then return end
if z>0 then eb(a,b,z,bd)end
local o=i.lend and i.lend(a,b,v,br)or 0
if o>0 and ax[a]then ce(a,b,o,bd)end
aJ[a],S=true,S+1+o
end
local f,C=1,#N
while f<=C do
local ac,aU=N[f],fh(f)
if ac>0 then fc(ac)
elseif ac==dn then ec(f+1+bs[dn],f+aU-1,cZ)
elseif ac==cG then ec(f+1+bs[cG],f+aU-1,1)
elseif ac==dg then ec(f+1+bs[dg],f+aU-1,cZ,true)
elseif ac==bS then fH(f)
elseif ac==ft then dZ(N[f+1],N[f+2])
else bi(ac,N[f+1],N[f+2],N[f+3])
end
f=f+aU
end
end
for a=1,eK and ay or 0 do
local i=G[a].algorithm
if i.show and not aC[a]then i.show(a,w)end
end
local function fJ(a,F)
local O,d,e,g=G[a].definition,d[a],e[a],g[a]
local p,bJ,l,cc,y,am,co=ab[a],ah[a]or 0,0,"",nil,"",""
local i,aN=G[a].algorithm,nil
if i.divide then am,co=i.divide(a)end
if bJ~=0 then l,cc=dc,Q(eg,bJ)end
if F~=""then l,cc=l+ei,cc..Q(el,#F,F)end
if am~=""then l,cc=l+eh,cc..am end
if d<16777216 and g==d and not p then
if aN then y=Q("<c0Bi6I3i6",O,l,e,d,aN)
else y=Q("<c0Bi6I3",O,l,e,d)
end
else
local aA,B="<c0Bi6I3",""
if d>=1099511627776 then aA,l="<c0Bi6I7",l+2
elseif d>=16777216 then aA,l="<c0Bi6I5",l+1
end
if g~=d and g==0 then l=l+bD
elseif g~=d then l,B=l+bG,Q("<I7",g)
end
if p then l,B=l+bE,B..Q("<I7",p)end
y=Q(aA,O,l,e,d)..B
end
return y..cc..co
end
local function gs(a)
local b,X,F,fg=G[a],KEYS[a],"",0
local p,bJ=ab[a]or 0,ah[a]or 0
local x=b.algorithm.reset_after(a,b)
if ax[a]then F,fg=eD(a)end
x=A(x,bJ-h,fg)
if not(x>0 or ba>0 and(d[a]>0 or p>0 or bJ>0))then
if q[a]and q[a].is_apart then V("UNLINK",q[a].key)end
return V("DEL",X)
end
local aq
aq=cn("%d",(x<as and x or as)+ba)
V("PSETEX",X,aq,fJ(a,F))
if b.algorithm.write then b.algorithm.write(a,aq)end
if ax[a]then fi(a,aq)end
end
local function gt()
for a=1,ay do
if aJ[a]and not aC[a]then gs(a)end
end
for K,c in ipairs(dC)do
if c.is_apart then V("UNLINK",c.key)end
end
end
local fV,ap=pcall(gt)
if not fV then
local y=type(ap)=="table"and ap.err or ap
S=nil
for k,cl in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if aW(y,cl,1,true)then S=-k end
end
local by=aW(y,"READONLY ",1,true)
if by then return{err=string.sub(y,by)}end
if not S then error(ap,0)end
end
w[dj]=S
return w
`,
} as const;
