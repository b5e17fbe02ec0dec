/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "2269fdde7830a34a2e8c0181be2c7e2c5cc4373d",
  source: `local E,I,ar,U=struct.pack,struct.unpack,string.format,string.find
local K,am,M,Q=redis.call,redis.pcall,math.floor,math.ceil
local q=#ARGV
local be=q==5 or q==7
local aD=q>5 and not be
local g,Z=ARGV[be and 7 or aD and 9 or 3],0
if g then g,Z=g+0,3600000
else
local a=K("TIME")
g=a[1]*1000+M(a[2]/1000)
end
local aI,T,af=KEYS,#KEYS,nil
if be then
local y,O,b,s=ARGV[2],ARGV[3]+0,ARGV[4]+0,ARGV[5]+0
local f,w,x,c,e,p=#y+1,true,0,0,g,nil
local m,G,H,B
if T==1 then
local r=am("GET",aI[1])
if type(r)=="table"then w=false
elseif r then
local L,i=#r-f,nil
if L==15 then i,e,c,p=I("<Bi6I3i6",r,f)
elseif L==11 then i,e,c=I("<Bi6I5",r,f)
end
w=i==(p and 0 or 1)and e<=g and U(r,y,1,true)==1
end
if w then
m,G=nil,nil
local o=c-(g-e)*b
o=o>0 and o+O or O
if o<=s then
local n=Q(o/b)
local L=Z==0 and p and g+n<=p
x=x+1
if o<16777216 then
if Z==0 and not L then
n=n+M(n/4)
p=g+n
end
m=E("<c0Bi6I3i6",y,0,g,o,p or g)
else m=E("<c0Bi6I5",y,1,g,o)
end
if not L then G=ar("%d",n+Z)end
end
if G then H=am("PSETEX",aI[1],G,m)
elseif m then H=am("SET",aI[1],m,"KEEPTTL")
end
B=H and H.err
if B then
local m=type(B)=="table"and B.err or B
x=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if U(m,a,1,true)then x=-k end
end
local a=U(m,"READONLY ",1,true)
if a then return{err=string.sub(m,a)}end
if not x then error(B,0)end
end
return ar("%d,%d,%d,%d",g,x,c,g-e)
end
else
af=K("MGET",unpack(aI))
local l,j,Y,D={g,0},{},{},nil
for a=1,T do
local r=af[a]
c,e,p=0,g,nil
if r then
local L,i=#r-f,nil
if L==15 then i,e,c,p=I("<Bi6I3i6",r,f)
elseif L==11 then i,e,c=I("<Bi6I5",r,f)
end
w=i==(p and 0 or 1)and e<=g and U(r,y,1,true)==1
if not w then break end
else
D=D or{}
D[#D+1]=aI[a]
end
m,G=nil,nil
local o=c-(g-e)*b
o=o>0 and o+O or O
if o<=s then
local n=Q(o/b)
local L=Z==0 and p and g+n<=p
x=x+1
if o<16777216 then
if Z==0 and not L then
n=n+M(n/4)
p=g+n
end
m=E("<c0Bi6I3i6",y,0,g,o,p or g)
else m=E("<c0Bi6I5",y,1,g,o)
end
if not L then G=ar("%d",n+Z)end
end
j[a]=m
if G then Y[a]=G end
l[2*a+1],l[2*a+2]=c,g-e
end
if w and not(D and K("EXISTS",unpack(D))>0)then
for a=1,x>0 and T or 0 do
m,G,H=j[a],Y[a],nil
if G then H=am("PSETEX",aI[a],G,m)
elseif m then H=am("SET",aI[a],m,"KEEPTTL")
end
B=B or H and H.err
end
if B then
local m=type(B)=="table"and B.err or B
x=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if U(m,a,1,true)then x=-k end
end
local a=U(m,"READONLY ",1,true)
if a then return{err=string.sub(m,a)}end
if not x then error(B,0)end
end
l[2],l[#l+1]=x,0
return l
end
end
end
local au,P,aG,aK,bx,aW,bi,bg,bh,aH,bX,bW,bT,bZ,bV,bC,bA,bB,aJ,bd,bj,bY,aV,aZ,bb,ba,bD,ct,cs,cq,cr,aO=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-13,-11,-8,-9,-10,5,2,2,4,4,8,6,2,3,2
local cu,J,z=string.byte,math.min,math.max
local W=4503599627370496
local ak=4000
local ax=0
local aq,ay,at,bf,bw,bv=4,8,16,32,64,128
local bu="<I7"
local bz="<I4c0"
local aU="<I4i7i6"
local bc,bE,N,aY="<i6I4I7",17,3,256
local bm=bit.band
local function bs(
y,d,ap,al,e,b,capacity_ticks,debt_ticks,k,aM
)
return{
numbers=k,bytes=#y+(d<P and 16 or 10),
definition=y,kind=d,rate=ap,period=al,ticks_per_unit=e,
refill_per_ms=b,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=aM,
}
end
local ae,ai,ao,ab,F
if not aD then
ae=cjson.decode(ARGV[1])
for k=1,#ae do ae[k]=bs(unpack(ae[k]))end
local a=not be and ARGV[2]
local d=a and tonumber(a)
if d then ab={d}
elseif a and a~=""then
ai=cjson.decode(a)
ao,ab,F=ai.owners,ai.anchors,ai.steps
end
af=af or K("MGET",unpack(KEYS,1,J(T,ak)))
for C=ak+1,T,ak do
local b=K("MGET",unpack(KEYS,C,J(C+ak-1,T)))
for k=1,#b do af[C+k-1]=b[k]end
end
end
if aD or ai and ai.leases then
local aw,aX=17,16
local aa=10
local ad,w,x,B,f=string.sub,true,0,nil,1
local y,S,L,al,s,r,c,e,C,o,t,q,aC
local A,O,X,m,G
local h,u,d,j,Y,D
if aD then
y,S,al,s,o,t,q,aC=unpack(ARGV)
L,al,s,o,t=#y+10,al+0,s+0,o+0,t+0
q,aC=(q or 1)+0,(aC or 0)+0
local a=am("GET",KEYS[1])
w=type(a)~="table"
af={w and a}
else
h,u,d,j,Y,D={g,0},{},{},{},{},{}
end
for a=1,w and T or 0 do
if not aD then
local b=ae[ao and ao[a]or 1]
y,S,L,al,s=b.definition,b.numbers,b.bytes,b.period,b.capacity_ticks
o,q=F[f],F[f+3]
if o==aH then aC,t,f=F[f+5],F[f+6],f+2+aV
else t,f=F[f+2],f+4
end
end
r,c,e,C=af[a]or"",0,g,1
if r~=""then
local R,v,i=#r-L,nil,nil
w=R>0 and R<=aX*aw and R%aw==0
if w then
v,i,e,c,C=I(S,r)
w=v==y and i==aq and e<=g
local p,n=I("<i6I4",r,C)
while p and p<=g do
c,C,p=c-n,C+aw,nil
if C<#r then p,n=I("<i6I4",r,C)end
end
end
end
if w then
local H,l,b,R=ad(r,C),e+al,0,nil
A,O,X,m,G=nil,0,-2,nil,nil
if o==aH then
local i=s-z(1,q)-aC
if c<=i then
x=x+1
if q>0 then
b,R=q,c+q
w=#H<aX*aw and R<16777216 and not U(H,E("<I7",t),1,true)
end
elseif i>=0 then
local V,k=1,c-i
while V<#H do
local p,n=I("<i6I4",H,V)
if k<=0 and p>A then break end
A,O,k,V=p,O+n,k-n,V+aw
end
end
else
R=c
local V=U(H,E("<I7",t),1,true)
if V then
V=V-aa
w=V%aw==1
if w then A,O,X=I("<i6I4I7",H,V)end
if w and O==q then
H=ad(H,1,V-1)..ad(H,V+aw)
if o==bC then b=q else R=c-q end
end
end
end
if R then
local n=nil
if b>0 then
n=al
m=E("<c0Bi6I3c0i6I4I7",y,aq,g,R,H,g+al,b,t)
elseif R==0 then
m=""
else
m=E("<c0Bi6I3c0",y,aq,e,R,H)
if Z>0 then n=l-g end
end
if n then
G=ar("%d",(n<W and n or W)+Z)
end
end
end
if not w then break end
if not aD then
local v=#h
h[v+1],h[v+2],j[a],Y[a]=c,g-e,m,G
if c>0 then
v=#u
u[v+1],u[v+2],u[v+3],u[v+4]=a,c,0,0
end
v=#d
d[v+1]=(A and 1 or 0)+(c>O and 1 or 0)
if A then d[v+2],d[v+3],d[v+4]=A,O,X end
if c>O then
local k=#d
d[k+1],d[k+2],d[k+3]=e+al,c-O,A and-3 or-2
end
if not af[a]then D[#D+1]=KEYS[a]end
end
end
if D and D[1]and w then
w=#D<=ak and K("EXISTS",unpack(D))==0
end
if w then
for a=1,T do
if not aD then m,G=j[a],Y[a]end
if m and not B then
local H
if m==""then H=am("DEL",KEYS[a])
elseif G then H=am("SET",KEYS[a],m,"PX",G)
else H=am("SET",KEYS[a],m,"KEEPTTL")
end
B=type(H)=="table"and H.err
end
end
if B then
local m=type(B)=="table"and B.err or B
x=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if U(m,a,1,true)then x=-k end
end
local a=U(m,"READONLY ",1,true)
if a then return{err=string.sub(m,a)}end
if not x then error(B,0)end
end
if aD then
if not A then return ar("%d,%d,%d,%d",g,x,c,g-e)end
return ar("%d,%d,%d,%d,%d,%d,%d",g,x,c,g-e,A,O,X)
end
h[aO],h[#h+1]=x,#u/ba
for f=1,#u do h[#h+1]=u[f]end
for f=1,#d do h[#h+1]=d[f]end
return h
elseif aD then
ae={bs(y,aW,s,al,1,0,s,0,S)}
F=o==aH and{aH,1,1,q,0,aC,t}or{o,1,t,q}
af=K("MGET",KEYS[1])
end
elseif ai and ai.lends then
local aw,ad,al=string.rep,string.sub,table.remove
local ap={[bi]=au,[bg]=P,[bh]=aG}
local w,D,l,x,u,B=true,nil,{g,0},0,nil,nil
for H,b in ipairs(ae)do
b.base=ap[b.kind]or b.kind
b.unit=b.base==aG and 1 or b.ticks_per_unit
end
local A,X,aa,S,ac,an,ag={},{},{},{},{},{},{}
local aj,ah,Y={},{},{}
local C={}
for a=1,T do
local b,r=ae[ao and ao[a]or 1],af[a]
local y,d,c,e,h,s=b.definition,b.base,0,g,0,nil
local j,m,q=nil,0,0
if not r then
D=D or{}
D[#D+1]=KEYS[a]
if d>=P then e=g-(g-(ab and ab[a]or 0))%b.period end
elseif U(r,y,1,true)==1 then
local f=#y+1
local L,i=#r-f,nil
if L>=9 then
i,e,c=I("<Bi6I3",r,f)
h,f=c,f+10
if i>0 then
local k=i%4
local G,t=i%16>=ay,i%32>=at
if L<9+2*k+(G and 7 or 0)+(t and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",r,f-3)end
h=i%16>=aq and 0 or c
if G then h,f=I("<I7",r,f)end
if t then s,f=I("<I7",r,f)end
end
end
else
f=nil
end
if d==b.kind and d<P and f==#r-5 then f=#r+1 end
if f then q=(#r+1-f)/bE end
w=f and(q==0 or i<bf and d~=b.kind and q%1==0 and q<=aY)
if w and q>0 then
Y[a]=ad(r,f)
j={I(aw(bc,q),Y[a])}
j[#j]=nil
for k=2,#j,N do m=m+j[k]end
end
else
w=false
end
if e>g or b.rate==0 or d>=aK then w=false end
if not w then break end
local V=aZ+bb*(a-1)
l[V+1],l[V+2]=c,g-e
if s or h~=c then
u=u or{}
local v=#u
u[v+1],u[v+2],u[v+3],u[v+4]=a,c-h,s or 0,0
end
if d~=b.kind then
local v=#C+1
C[v]=j and#j/N or 0
for k=1,j and#j or 0 do C[v+k]=j[k]end
end
if j and d==au then
local o=m*b.ticks_per_unit
local k,L=1,z(g,e)
while k<#j and j[k]<=L do
local p=j[k]
if p>e then
c,e=z(o,c-(p-e)*b.refill_per_ms),p
end
o,k=o-j[k+1]*b.ticks_per_unit,k+N
end
if g>e then c,e=z(o,c-(g-e)*b.refill_per_ms),g end
h,an[a]=J(h,c-o),c
else
local o,O
if d<P then
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
o,O=c,b.ticks_per_unit
elseif d==P then
local i=g-e
if i>=b.period then
local k=M(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if h>c then h=c end
end
o,O=c,1
else
local i=g-e
if i>=b.period then
local k=M(i/b.period)
s=k==1 and c>0 and c or nil
c,e,h=0,e+k*b.period,0
end
o=c*b.period
if s then o=o+s*(b.period-z(0,g-e))end
O=1
end
an[a]=o
end
while j and j[1]and j[1]<=g do
m,Y[a]=m-j[2],nil
for H=1,N do al(j,1)end
end
A[a],X[a],aa[a],S[a],ac[a]=b,c,e,h,s
aj[a],ah[a]=j,m
end
if D and w and(#D>ak or K("EXISTS",unpack(D))>0)then w=false end
if w then
local f,v=1,F and#F or T
while f<=v do
local a,q,V,t,y,R,G=F and F[f]or f,1,0,0,0,0,0
f=f+1
if a==aJ then
a,q,V,t,y,R,G=unpack(F,f,f+6)
f=f+7
end
local b,j,m=A[a],aj[a],ah[a]
local c,o,h=X[a],an[a],S[a]
local O,e=b.unit,b.ticks_per_unit
if R+G>0 then
j,ag[a]=j or{},true
local d,i=0,0
for r=1,R+G do
local aX,n,k=F[f],F[f+1],N
while j[k]and j[k]~=aX do k=k+N end
if j[k]then
local s=j[k-1]
local p=J(s,n)
local L=r>R and 0 or p
j[k-1],m,i=L,m-s+L,i+s-p
if r>R then d=d+p end
for H=1,L==0 and N or 0 do al(j,k-2)end
end
f=f+2
end
c,o,h=c-d*O,o-d*e,h+i*O
if d+i>0 then Y[a]=nil end
end
local i=V==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if o+z(1,q)*e<=i then
c,o,h=c+q*O,o+q*e,h+q*O
ag[a],x=true,x+1
if y>0 and b.share then
local s=g+b.share
if b.base~=au then s=J(s,aa[a]+b.period)end
j=j or{}
local n=0
if y>0 and#j<N*aY then
local k=M(b.capacity_ticks/b.ticks_per_unit/2)
n=J(y,Q(M((b.capacity_ticks-o)/b.ticks_per_unit)/2),k-m)
end
if n>0 then
local r,p=n,z(s,j[#j-2]or s)
for k=#j,N,-N do
if j[k]==t then
r=r+j[k-1]
for H=1,N do al(j,k-2)end
end
end
local v=#j
j[v+1],j[v+2],j[v+3]=p,r,t
m=m+n
else
n=0
end
if n>0 then Y[a]=nil end
c,o,x=c+n*O,o+n*e,x+n
end
end
X[a],an[a],S[a],aj[a],ah[a]=c,o,h,j,m
end
for a=1,T do
if ag[a]and not B then
local b,c,e,h,s=A[a],X[a],aa[a],S[a],ac[a]
local y,d,i,n,m=b.definition,b.base,0,nil,nil
local j,t=aj[a],nil
local L=j and j[1]
if L and d==au then
local o=ah[a]*b.ticks_per_unit
local r,p=c,e
for k=1,#j,N do
if j[k]>e then
r=z(o,r-(j[k]-p)*b.refill_per_ms)
p,o=j[k],o-j[k+1]*b.ticks_per_unit
end
end
n=r<=0 and 0 or p+Q(r/b.refill_per_ms)-g
else
if d<P then
n=c==0 and 0 or e-g+Q(c/b.refill_per_ms)
elseif d==P then
n=c==0 and 0 or e+Q(c/b.rate)*b.period-g
else
n=c>0 and e+2*b.period-g or s and e+b.period-g or 0
end
end
local H,G
if n<=0 then
H=am("DEL",KEYS[a])
else
if c<16777216 and h==c and not s then
if t then m=E("<c0Bi6I3i6",y,i,e,c,t)
else m=E("<c0Bi6I3",y,i,e,c)
end
else
local k,u="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if h~=c and h==0 then i=i+aq
elseif h~=c then i,u=i+ay,E("<I7",h)
end
if s then i,u=i+at,u..E("<I7",s)end
m=E(k,y,i,e,c)..u
end
G=ar("%d",(n<W and n or W)+Z)
if L then
m=m..(Y[a]or E(aw(bc,#j/N),unpack(j)))
end
H=am("PSETEX",KEYS[a],G,m)
end
if type(H)=="table"then B=H.err end
end
end
if B then
local m=type(B)=="table"and B.err or B
x=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if U(m,a,1,true)then x=-k end
end
local a=U(m,"READONLY ",1,true)
if a then return{err=string.sub(m,a)}end
if not x then error(B,0)end
end
l[aO],l[#l+1]=x,u and#u/ba or 0
for f=1,u and#u or 0 do l[#l+1]=u[f]end
for f=1,#C do l[#l+1]=C[f]end
return l
end
elseif ai and ai.logs or not ai and ae[1].kind==aK then
local al,R,O,V="<i6I7",13,416,9007199254740992
local ad=string.sub
local w,D,l,x,u,d,B=true,nil,{g,0},0,{},{},nil
local j,A={},{}
for a=1,T do
local b,r=ae[ao and ao[a]or 1],af[a]
local y,c,e,h,s,H,v,o=b.definition,0,g,0,nil,"",g,0
local q=#d+1
d[q]=0
if r then
if U(r,y,1,true)==1 then
local f=#y+1
local L,i=#r-f,nil
if L>=9 then
i,e,c=I("<Bi6I3",r,f)
h,f=c,f+10
if i>0 then
local k=i%4
local G,t=i%16>=ay,i%32>=at
if L<9+2*k+(G and 7 or 0)+(t and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",r,f-3)end
h=i%16>=aq and 0 or c
if G then h,f=I("<I7",r,f)end
if t then s,f=I("<I7",r,f)end
end
end
else
f=nil
end
local G=f and#r+1-f or 0
w=f and i<at and G>0 and G%R==0
if w then
local C,m,p,k=f,g-b.period,nil,nil
v,o=I(al,r,#r-R+1)
local t=o-c
if t<0 then t=t+V end
p,k=I(al,r,C)
while p<=m and C<#r do
t,C=k,C+R
if C<#r then p,k=I(al,r,C)end
end
c=o-t
if c<0 then c=c+V end
if h>c then h=c end
H=ad(r,C)
if c>0 then
local n=k-t
if n<0 then n=n+V end
d[q+1],d[q+2]=p,n
if n<c then d[q+3],d[q+4]=v,c-n end
d[q]=(q-#d)/2
elseif H~=""then
w=false
end
end
else
w=false
end
else
D=D or{}
D[#D+1]=KEYS[a]
end
local p=c<b.capacity_ticks
if e>g or c>b.capacity_ticks or p and#H>O-R then w=false end
if not w then break end
local f=aZ+bb*(a-1)
l[f+1],l[f+2]=c,g-e
if h~=c then
local f=#u
u[f+1],u[f+2],u[f+3],u[f+4]=a,c-h,0,0
end
if p then
local i,t,n,G,m=0,nil,b.period,nil,nil
if H==""then o=1
else
o=o>=V-1 and o-(V-1)or o+1
if v==g then H=ad(H,1,-R-1)end
end
c,h,e,x=c+1,h+1,g,x+1
if c<16777216 and h==c and not s then
if t then m=E("<c0Bi6I3i6",y,i,e,c,t)
else m=E("<c0Bi6I3",y,i,e,c)
end
else
local k,u="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if h~=c and h==0 then i=i+aq
elseif h~=c then i,u=i+ay,E("<I7",h)
end
if s then i,u=i+at,u..E("<I7",s)end
m=E(k,y,i,e,c)..u
end
j[a]=m..H..E(al,g,o)
if not A[b]then
G=ar("%d",(n<W and n or W)+Z)
A[b]=G
end
end
end
if D and w and(#D>ak or K("EXISTS",unpack(D))>0)then w=false end
if w then
for a=1,T do
if j[a]then
local H=am("PSETEX",KEYS[a],A[ae[ao and ao[a]or 1]],j[a])
B=B or H.err
end
end
if B then
local m=type(B)=="table"and B.err or B
x=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if U(m,a,1,true)then x=-k end
end
local a=U(m,"READONLY ",1,true)
if a then return{err=string.sub(m,a)}end
if not x then error(B,0)end
end
l[aO],l[#l+1]=x,#u/ba
for f=1,#u do l[#l+1]=u[f]end
for f=1,#d do l[#l+1]=d[f]end
return l
end
elseif not ai or ai.takes_units then
local w,D,l,x,u,B=true,nil,{g,0},0,nil,nil
local j,Y={},{}
local A,X,aa,S,ac,R,ag
if F then
A,X,aa,S,ac,R,ag={},{},{},{},{},{},{}
end
for a=1,T do
local b,r=ae[ao and ao[a]or 1],af[a]
local y,d,c,e,h,s,p=b.definition,b.kind,0,g,0,nil,nil
if r then
local n,v,i=nil,nil,nil
if#r==b.bytes then v,i,e,c,p=I(b.numbers,r)end
if v==y and i==0 then
h=c
elseif U(r,y,1,true)==1 then
local f=#y+1
p=nil
local L,i=#r-f,nil
if L>=9 then
i,e,c=I("<Bi6I3",r,f)
h,f=c,f+10
if i>0 then
local k=i%4
local G,t=i%16>=ay,i%32>=at
if L<9+2*k+(G and 7 or 0)+(t and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",r,f-3)end
h=i%16>=aq and 0 or c
if G then h,f=I("<I7",r,f)end
if t then s,f=I("<I7",r,f)end
end
end
else
f=nil
end
w=f==#r+1
else
w=false
end
if d>=P and w then
if d<P then
n=c==0 and 0 or e-g+Q(c/b.refill_per_ms)
elseif d==P then
n=c==0 and 0 or e+Q(c/b.rate)*b.period-g
else
n=c>0 and e+2*b.period-g or s and e+b.period-g or 0
end
p=n>0 and g+n or nil
end
else
D=D or{}
D[#D+1]=KEYS[a]
if d>=P then e=g-(g-(ab and ab[a]or 0))%b.period end
end
if e>g or b.rate==0 or d>=aK then w=false end
if not w then break end
local f=aZ+bb*(a-1)
l[f+1],l[f+2]=c,g-e
if s or h~=c then
u=u or{}
local v=#u
u[v+1],u[v+2],u[v+3],u[v+4]=a,c-h,s or 0,0
end
if F then
A[a],X[a],aa[a],S[a],ac[a],R[a]=b,c,e,h,s,p
else
local o,O
if d<P then
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
o,O=c,b.ticks_per_unit
elseif d==P then
local i=g-e
if i>=b.period then
local k=M(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if h>c then h=c end
end
o,O=c,1
else
local i=g-e
if i>=b.period then
local k=M(i/b.period)
s=k==1 and c>0 and c or nil
c,e,h=0,e+k*b.period,0
end
o=c*b.period
if s then o=o+s*(b.period-z(0,g-e))end
O=1
end
if o+b.ticks_per_unit<=b.capacity_ticks then
c,h,x=c+O,h+O,x+1
local y,i,n,L,t,m,G=b.definition,0,nil,false,nil,nil,nil
if d<P then
n=c==0 and 0 or e-g+Q(c/b.refill_per_ms)
elseif d==P then
n=c==0 and 0 or e+Q(c/b.rate)*b.period-g
else
n=c>0 and e+2*b.period-g or s and e+b.period-g or 0
end
if Z==0 then L=p and g+n<=p end
if d<P and c<16777216 and h==c then
if Z==0 and not L then
n=n+M(n/4)
p=g+n
end
t=p or g
end
if c<16777216 and h==c and not s then
if t then m=E("<c0Bi6I3i6",y,i,e,c,t)
else m=E("<c0Bi6I3",y,i,e,c)
end
else
local k,u="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if h~=c and h==0 then i=i+aq
elseif h~=c then i,u=i+ay,E("<I7",h)
end
if s then i,u=i+at,u..E("<I7",s)end
m=E(k,y,i,e,c)..u
end
if not L then
G=ar("%d",(n<W and n or W)+Z)
end
j[a],Y[a]=m,G
end
end
end
if D and w and(#D>ak or K("EXISTS",unpack(D))>0)then w=false end
if w and F then
local f,v=1,#F
while f<=v do
local C,m,r=f,f,true
if F[f]==bd then C,m=f+2,f+1+F[f+1]end
for V=C,m do
local a=F[V]
local b,c,e,h,s=A[a],X[a],aa[a],S[a],ac[a]
local d=b.kind
local o,O
if d<P then
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
o,O=c,b.ticks_per_unit
elseif d==P then
local i=g-e
if i>=b.period then
local k=M(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if h>c then h=c end
end
o,O=c,1
else
local i=g-e
if i>=b.period then
local k=M(i/b.period)
s=k==1 and c>0 and c or nil
c,e,h=0,e+k*b.period,0
end
o=c*b.period
if s then o=o+s*(b.period-z(0,g-e))end
O=1
end
X[a],aa[a],S[a],ac[a]=c,e,h,s
r=r and o+b.ticks_per_unit<=b.capacity_ticks
end
for V=C,r and m or 0 do
local a=F[V]
local b=A[a]
local O=b.kind==aG and 1 or b.ticks_per_unit
X[a],S[a],ag[a]=X[a]+O,S[a]+O,true
x=x+1
end
f=m+1
end
for a=1,T do
if ag[a]then
local b,c,e,h,s,p=A[a],X[a],aa[a],S[a],ac[a],R[a]
local d=b.kind
local y,i,n,L,t,m,G=b.definition,0,nil,false,nil,nil,nil
if d<P then
n=c==0 and 0 or e-g+Q(c/b.refill_per_ms)
elseif d==P then
n=c==0 and 0 or e+Q(c/b.rate)*b.period-g
else
n=c>0 and e+2*b.period-g or s and e+b.period-g or 0
end
if Z==0 then L=p and g+n<=p end
if d<P and c<16777216 and h==c then
if Z==0 and not L then
n=n+M(n/4)
p=g+n
end
t=p or g
end
if c<16777216 and h==c and not s then
if t then m=E("<c0Bi6I3i6",y,i,e,c,t)
else m=E("<c0Bi6I3",y,i,e,c)
end
else
local k,u="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if h~=c and h==0 then i=i+aq
elseif h~=c then i,u=i+ay,E("<I7",h)
end
if s then i,u=i+at,u..E("<I7",s)end
m=E(k,y,i,e,c)..u
end
if not L then
G=ar("%d",(n<W and n or W)+Z)
end
j[a],Y[a]=m,G
end
end
end
if w then
for a=1,T do
if j[a]then
local H
if Y[a]then H=am("PSETEX",KEYS[a],Y[a],j[a])
else H=am("SET",KEYS[a],j[a],"KEEPTTL")
end
B=B or H.err
end
end
if B then
local m=type(B)=="table"and B.err or B
x=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if U(m,a,1,true)then x=-k end
end
local a=U(m,"READONLY ",1,true)
if a then return{err=string.sub(m,a)}end
if not x then error(B,0)end
end
l[aO],l[#l+1]=x,u and#u/ba or 0
for f=1,u and#u or 0 do l[#l+1]=u[f]end
return l
end
end
local A,c,e,h={},{},{},{}
local S,O,w,X,aj,an,Y={},{},{},{},{},{},{}
local aN,aQ,aR,bp={},{},{},{}
local ac,ag={},{}
local aE,as={},{}
local aM,aL,bL,bS,bn,bP,bO
local aS,aT
local function aF(a)
ac[a],c[a],e[a],h[a]=true,-1,g,0
an[a],Y[a]=nil,nil
end
local function ce(a,i,f)
local r=af[a]
if bm(i,bf)~=0 then O[a],f=I(bu,r,f)end
if bm(i,bw)~=0 then aN[a],f=I(bz,r,f)end
if bm(i,bv)~=0 then
aQ[a]={I(aU,r,f)}
f=aQ[a][4]
end
aR[a]=string.sub(r,f)
end
local aB,az,aA=c,e,h
local function bK(a,R)
local r,f,c,e,h,s=af[a],R+1,nil,nil,nil,nil
local L,i=#r-f,nil
if L>=9 then
i,e,c=I("<Bi6I3",r,f)
h,f=c,f+10
if i>0 then
local k=i%4
local G,t=i%16>=ay,i%32>=at
if L<9+2*k+(G and 7 or 0)+(t and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",r,f-3)end
h=i%16>=aq and 0 or c
if G then h,f=I("<I7",r,f)end
if t then s,f=I("<I7",r,f)end
end
end
else
f=nil
end
if not f then return false end
aB[a],az[a],aA[a],S[a]=c,e,h,s
return f>#r or pcall(ce,a,i,f)
end
local function bQ(a,b)
if not b[1]or type(b[1][1])~="number"then return end
Y[a]=table.remove(b,1)
for d=1,bD do
local f=Y[a][d]
assert(type(f)=="number"and f>=0)
end
end
local function ci(a)
if not aN[a]then return false end
local d,b=pcall(cmsgpack.unpack,aN[a])
if not(d and#b==1 and pcall(bQ,a,b)and Y[a])then return true end
aN[a]=nil
return false
end
local D,aa,ah={},nil,{}
if F and F[1]==bA then aa={}end
for H,b in ipairs(ae)do ah[b.kind]=true end
for a=1,T do
local b,r=ae[ao and ao[a]or 1],af[a]
A[a]=b
if not r then
D[#D+1]=a
else
local d=U(r,b.definition,1,true)==1 and bK(a,#b.definition)
if not d or ci(a)or e[a]>g then
aa=aa or{}
aa[#aa+1]=a
end
end
end
local av,bR
if F then
av={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-13]=5,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function bR(f)
local o,a=F[f],F[f+1]
if o>0 then return 1 end
if o==aJ then return 1+av[aJ]+2*(F[f+6]+F[f+7])end
local b=o==aH or o==bj
return 1+av[o]+(b and aV*a or o==bd and a or 0)
end
end
local ad={}
local function aP(a,d,k)
c[a]=c[a]+k
if d.record and k~=0 then d.record(a,k)end
end
local function cc(a,b,q)
local d,f=b.algorithm,q*b.counts_per_unit
d.advance(a,b)
aP(a,d,f)
h[a]=h[a]+f
end
local function cn(a,b,j,l)
local d,f=b.algorithm,l-j
d.advance(a,b)
local i=(d.most_counts and d.most_counts(b)or W)-c[a]-(S[a]or 0)
local k=d.queues and 0 or-h[a]
aP(a,d,z(k,J(f*b.counts_per_unit,z(0,i))))
h[a]=J(z(0,h[a]-j*b.counts_per_unit),c[a])
if f>0 and X[a]then aM(a,b,f,ax)end
end
local function cb(a,b,o,u,f)
local d,i=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if d.open then d.open(a,b)end
c[a],e[a],S[a]=0,d.is_aligned and f-(f-(ab and ab[a]or 0))%b.period or f,nil
aP(a,d,Q(o/i))
h[a]=M(u/i)
end
local function cj(a,b,i)
local d=b.algorithm
if not d.has_history or b.period~=i.period then return false end
local function f(y)return string.match(y,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return f(b.definition)==f(i.definition)and d.used(a,b)<=b.capacity_ticks
end
local function ap(d)
d.charge,d.settle,d.begin,d.keep=cc,cn,cb,cj
return d
end
local function bF(b)
b.algorithm=ad[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local br=ah[bi]or ah[bg]or ah[bh]
if br then ah[au],ah[P],ah[aG]=true,true,true end
if aa or ah[au]then
local l={is_reservable=true}
local function d(a,f)
while f~=0 do a,f=f,a%f end
return a
end
function l.define(b)
local a=d(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/a,b.rate/a
end
function l.used(a,b)
local c,e,h=c[a],e[a],0
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
return c
end
local aB,az,aA=c,e,h
function l.advance(a,b)
local c,e,h=c[a],e[a],h[a]
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
aB[a],az[a],aA[a]=c,e,h
end
function l.reset_after(a,b)
local c,e,h,n=c[a],e[a],0,nil
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
n=c==0 and 0 or e-g+Q(c/b.refill_per_ms)
return n
end
ad[au]=ap(l)
end
if aa or ah[P]then
local f={is_aligned=true,is_reservable=true}
function f.used(a,b)
local c,e,h=c[a],e[a],0
local i=g-e
if i>=b.period then
local k=M(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if h>c then h=c end
end
return c
end
local aB,az,aA=c,e,h
function f.advance(a,b)
local c,e,h=c[a],e[a],h[a]
local i=g-e
if i>=b.period then
local k=M(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if h>c then h=c end
end
aB[a],az[a],aA[a]=c,e,h
end
function f.reset_after(a,b)
local c,e,h,n=c[a],e[a],0,nil
local i=g-e
if i>=b.period then
local k=M(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if h>c then h=c end
end
n=c==0 and 0 or e+Q(c/b.rate)*b.period-g
return n
end
function f.most_counts(b)
return b.rate==0 and W or J(W,M(W/b.period)*b.rate)
end
ad[P]=ap(f)
end
if aa or ah[aG]then
local f={is_aligned=true,has_history=true,counts_units=true}
function f.define(b)
b.ticks_per_unit=b.period
end
function f.used(a,b)
local c,e,h,s,o=c[a],e[a],0,S[a],nil
local i=g-e
if i>=b.period then
local k=M(i/b.period)
s=k==1 and c>0 and c or nil
c,e,h=0,e+k*b.period,0
end
o=c*b.period
if s then o=o+s*(b.period-z(0,g-e))end
return o
end
local aB,az,aA=c,e,h
function f.advance(a,b)
local c,e,h,s=c[a],e[a],h[a],S[a]
local i=g-e
if i>=b.period then
local k=M(i/b.period)
s=k==1 and c>0 and c or nil
c,e,h=0,e+k*b.period,0
end
aB[a],az[a],aA[a],S[a]=c,e,h,s
end
function f.reset_after(a,b)
local c,e,h,s,n=c[a],e[a],0,S[a],nil
local i=g-e
if i>=b.period then
local k=M(i/b.period)
s=k==1 and c>0 and c or nil
c,e,h=0,e+k*b.period,0
end
n=c>0 and e+2*b.period-g or s and e+b.period-g or 0
return n
end
function f.most_counts(b)
return M(W/b.period)
end
ad[aG]=ap(f)
end
if aa or ah[aK]then
function aS(a,b)
return(string.gsub(KEYS[bp[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function aC(b,d)
local j=redis.pcall(b,d,0,0)
if not j.err then return j end
if not U(j.err,"WRONGTYPE",1,true)then error(j.err)end
end
function aT(d,b,L)
local j=aC(b,d)
if not j then return false end
if j[1]and#j[1]~=L then return false end
if j[1]then K("UNLINK",d)end
return true
end
local function bq(a,d,b,L)
local j=aC(b,d.key)
if not j or j[1]and#j[1]~=L then return aF(a)end
return j[1]~=nil
end
local function B(b,d,a)
for C=1,#a,ak do
K(b,d,unpack(a,C,J(C+ak-1,#a)))
end
end
local function L(a)
return z(e[a],g)
end
local function bt(b)
local a={}
for d in pairs(b)do a[#a+1]=d end
table.sort(a)
return a
end
local al,R,V="<i6I7",13,9007199254740992
local r=32
local y=r*R
local bl=1024
local j={has_history=true,keeps_list=true}
local function bH(o,n)
return o>=V-n and o-(V-n)or o+n
end
local function u(o,a)
return o<a and o-a+V or o-a
end
local function bG(d,a)
local m=d.read[a]
if not m then
m=K("LINDEX",d.key,a-1)
d.read[a]=m
end
return m
end
local function t(d,f)
local m,a=d.tail,(f-d.pages*r-1)*R
if a<0 then m,a=bG(d,Q(f/r)),(f-1)%r*R end
local p,o=I(al,m,a+1)
return p-d.shift,o
end
local function x(d,f)
if f==d.head then return d.base end
local H,o=t(d,f)
return o
end
local function by(d,p)
local f,k=d.head,d.length
if f==k or t(d,f+1)>p then return f end
while f<k do
local i=Q((f+k)/2)
if t(d,i)<=p then f=i else k=i-1 end
end
return f
end
local function bo(d,n)
local f,k=d.head,d.length
while f<k do
local i=Q((f+k)/2)
if u(d.sum,x(d,i))>=n then f=i else k=i-1 end
end
return f
end
local function aX(d,H)
d.tail,d.length=H,d.pages*r+#H/R
d.sum=d.length>d.head and select(2,t(d,d.length))or d.base
end
local function bk(d,p,o)
d.tail=d.tail..E(al,p+d.shift,o)
d.length,d.sum=d.length+1,o
end
function j.open(a,b)
local d=aS(a,b)
local f=w[a]and w[a].key==d and w[a].is_apart
w[a]={
key=d,is_apart=f,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return w[a]
end
function j.load(a,b)
local d,n,H=j.open(a,b),aQ[a],aR[a]or""
if#H%R~=0 then return aF(a)end
if n then
d.pages,d.head,d.shift=n[1],n[2],n[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not bq(a,d,"LRANGE",y)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
H=E(al,e[a]+d.shift,c[a])
end
aX(d,H)
d.base=u(d.sum,c[a])
end
local function aw(a,b)
local d,m=w[a],L(a)-b.period
if d.over~=m then d.over,d.last_over=m,by(d,m)end
return d.last_over
end
function j.used(a,b)
local d=w[a]
return u(d.sum,x(d,aw(a,b)))
end
function j.advance(a,b)
local d,m=w[a],aw(a,b)
d.base=x(d,m)
d.head=m
c[a]=u(d.sum,d.base)
h[a]=J(h[a],c[a])
end
function j.reset_after(a,b)
local d=w[a]
if d.length==d.head then return 0 end
return z(0,t(d,d.length)+b.period-g)
end
local function bI(a,n)
local d,p=w[a],L(a)
local o=bH(d.sum,n)
if d.length==d.head then d.base,o=0,n end
if d.length>d.head and t(d,d.length)==p then
d.tail,d.length=string.sub(d.tail,1,-R-1),d.length-1
end
bk(d,p,o)
e[a]=p
end
local function bM(d,f)
if f<=d.pages*r then
local a=z(0,Q(f/r)-1)
local H=f>0 and string.sub(bG(d,a+1),1,(f-a*r)*R)or""
d.pages=a
return aX(d,H)
end
aX(d,string.sub(d.tail,1,(f-d.pages*r)*R))
end
local function bJ(a,n)
local d=w[a]
local v,o=bo(d,n),u(d.sum,n)
d.cuts[v],d.cuts[v+1]=true,true
local p=v<d.length and o~=x(d,v)and t(d,v+1)
bM(d,v)
if p then bk(d,p,o)end
end
function j.record(a,k)
if k>0 then bI(a,k)else bJ(a,-k)end
end
function j.note(a,b,i)
local d=w[a]
if O[a]and O[a]>g then d.cuts[by(d,z(e[a],O[a])-b.period)]=true end
if i>=0 and j.used(a,b)>i then d.cuts[bo(d,i+1)+1]=true end
end
function j.note_each(a,b,n)
local d,f=w[a],aw(a,b)
local s,i=x(d,f),j.used(a,b)+n-b.capacity_ticks
while f<d.length and u(x(d,f),s)<i do
f=f+1
d.cuts[f]=true
end
aE[a].is_whole=f==d.length
if not aE[a].is_whole then j.note(a,b,-1)end
end
function j.see(a,b)
local d,m=w[a],aw(a,b)
aE[a]={
key=d.key,pages=d.pages,head=m,base=x(d,m),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function j.show(a,l)
local C,q=aE[a],#l+1
local o,d=C.base,0
if C.length>C.head then C.cuts[C.head+1],C.cuts[C.length]=true,true end
l[q]=0
for H,f in ipairs(bt(C.cuts))do
if f>C.head and f<=C.length then
local p,k=t(C,f)
l[#l+1],l[#l+2]=p,u(k,o)
o,d=k,d+1
end
end
l[q]=C.is_whole and d or-d
end
function j.divide(a)
local d=w[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=J(M(d.head/r),d.pages,bl)
d.kept=d.pages-d.dropped
local v,H,b=d.head-d.dropped*r,d.tail,{}
if d.kept==0 then v,H=0,string.sub(H,v*R+1)end
local f=nil
while#H>y do
if f==nil then f=d.is_apart or aT(d.key,"LRANGE",y)end
if not f then break end
b[#b+1],H=string.sub(H,1,y),string.sub(H,y+1)
end
d.pushed=b
local i=d.kept+#b
return(i>0 or d.shift~=0)and E(aU,i,v,d.shift)or"",H
end
function j.write(a,G)
local d=w[a]
if d.is_apart and d.kept==0 then K("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
K("LTRIM",d.key,d.dropped,d.pages-1)
end
B("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then K("PEXPIRE",d.key,G)end
end
function j.rewind(a,n)
w[a].shift,w[a].over=w[a].shift+n,nil
end
ad[aK]=ap(j)
local d=j.keep
function j.keep(a,b,i)
if not d(a,b,i)then return false end
bn(a,b,"LRANGE",y)
return true
end
end
if aa or ah[bx]then
local l={is_reservable=true}
local function d(a,f)
while f~=0 do a,f=f,a%f end
return a
end
function l.define(b)
local a=d(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/a,b.rate/a
end
function l.used(a,b)
local c,e,h=c[a],e[a],0
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
return c
end
local aB,az,aA=c,e,h
function l.advance(a,b)
local c,e,h=c[a],e[a],h[a]
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
aB[a],az[a],aA[a]=c,e,h
end
function l.reset_after(a,b)
local c,e,h,n=c[a],e[a],0,nil
local i=g-e
if i>0 then
c,e=c-i*b.refill_per_ms,g
if c<0 then c=0 end
if h>c then h=c end
end
n=c==0 and 0 or e-g+Q(c/b.refill_per_ms)
return n
end
l.queues=true
ad[bx]=ap(l)
end
if aa or ah[aW]then
function aS(a,b)
return(string.gsub(KEYS[bp[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function aC(b,d)
local j=redis.pcall(b,d,0,0)
if not j.err then return j end
if not U(j.err,"WRONGTYPE",1,true)then error(j.err)end
end
function aT(d,b,L)
local j=aC(b,d)
if not j then return false end
if j[1]and#j[1]~=L then return false end
if j[1]then K("UNLINK",d)end
return true
end
local function bq(a,d,b,L)
local j=aC(b,d.key)
if not j or j[1]and#j[1]~=L then return aF(a)end
return j[1]~=nil
end
local function B(b,d,a)
for C=1,#a,ak do
K(b,d,unpack(a,C,J(C+ak-1,#a)))
end
end
local function L(a)
return z(e[a],g)
end
local function bt(b)
local a={}
for d in pairs(b)do a[#a+1]=d end
table.sort(a)
return a
end
local y,bk,V="<I7B",8,35184372088832
local bl=128
local function x(k,p)
return ar("%.0f",(k-1)*V+p)
end
local function bo(n,b)
local k=1
while n>0 do
if n%2==1 then b(k)end
n,k=M(n/2),k+1
end
end
local function bU(d,p)
local n,f=0,z(0,d.floor+d.shift+1)
for k=1,d.sizes do
local a=K("ZCOUNT",d.key,x(k,f),x(k,p+d.shift))
n=n+2^(k-1)*a
end
return n
end
local function cm(d,t)
local a={}
for k=1,d.sizes do a[k]=E(y,t,k)end
local i={units=0,id=t}
for k,m in ipairs(#a>0 and K("ZMSCORE",d.key,unpack(a))or{})do
if m then
i.units=i.units+2^(k-1)
i.instant=tonumber(m)-(k-1)*V-d.shift
end
end
return i.units>0 and i or nil
end
local function co(d,l)
for k=1,d.sizes do
local C,v,b=x(k,l+d.shift),x(k+1,-1),{}
for H,a in ipairs(K("ZRANGEBYSCORE",d.key,"("..C,v))do
b[#b+1],b[#b+2]=C,a
end
B("ZADD",d.key,b)
end
end
local function cl(d)
local a,r,j={},{},K("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#j,2 do
local t,k=I(y,j[f])
local i=a[t]or{units=0,id=t}
i.instant=tonumber(j[f+1])-(k-1)*V-d.shift
i.units=i.units+2^(k-1)
if not a[t]then a[t],r[#r+1]=i,i end
end
return r
end
local function cp(d,j,f)
local a,b={},{}
for t,i in pairs(j)do
bo(i.units,function(k)a[#a+1]=E(y,t,k)end)
end
for H,i in pairs(f)do
bo(i.units,function(k)
b[#b+1],b[#b+2]=x(k,i.instant+d.shift),E(y,i.id,k)
end)
end
B("ZREM",d.key,a)
B("ZADD",d.key,b)
return#b/2
end
local function cd(d,f)
local R=bl+f
for k=1,d.sizes do
local C,v=x(k,0),x(k,z(-1,d.floor+d.shift))
local a=R>0 and K("ZRANGEBYSCORE",d.key,C,v,"LIMIT",0,R)or{}
B("ZREM",d.key,a)
R=R-#a
end
end
local v,aw="<i6I4I7",17
local bN=-V
local aX=16
local u={holds_leases=true,keeps_list=true}
function u.open(a,b)
local d=aS(a,b)
local f=w[a]and w[a].key==d and w[a].is_apart
w[a]={
key=d,is_apart=f,shift=0,cuts={},kept={},sizes=0,floor=bN,
found={},removed={},added={},
}
return w[a]
end
function u.load(a,b)
local d,n,m=u.open(a,b),aQ[a],aR[a]or""
if#m%aw~=0 then return aF(a)end
local f=1
while f<=#m do
local i={}
i.instant,i.units,i.id,f=I(v,m,f)
d.kept[#d.kept+1]=i
end
if not n then return end
d.sizes,d.floor,d.shift=n[1],n[2],n[3]
d.is_apart,d.kept=true,nil
if bq(a,d,"ZRANGE",bk)or ac[a]then return end
u.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=ax}
end
local function by(d,p)
if p<=d.floor then return 0 end
if not d.kept then return bU(d,p)end
local n=0
for H,i in ipairs(d.kept)do
if i.instant>p then break end
if i.instant>d.floor then n=n+i.units end
end
return n
end
local function m(r,d,p)
local n=0
for H,i in pairs(r)do
if i.instant>d.floor and i.instant<=p then n=n+i.units end
end
return n
end
local function bG(d,p)
return by(d,p)-m(d.removed,d,p)+m(d.added,d,p)
end
local function ca(a)
local d,p=w[a],L(a)
if p<=d.floor then return 0 end
if d.over~=p then d.over,d.units_over=p,bG(d,p)end
return d.units_over
end
function u.used(a)
return c[a]-ca(a)
end
function u.advance(a)
c[a]=u.used(a)
w[a].floor=z(w[a].floor,L(a))
end
local function cg(d,t)
for H,i in ipairs(d.kept)do
if i.id==t then return i end
end
end
local function ch(d,t)
if d.found[t]==nil then
d.found[t]=(d.kept and cg or cm)(d,t)or false
end
return d.found[t]or nil
end
local function bI(d,t)
local i=d.added[t]or not d.removed[t]and ch(d,t)or nil
return i and i.instant>d.floor and i or nil
end
local function al(d,t)
local i=bI(d,t)
if not i then return 0 end
if d.added[t]then d.added[t]=nil else d.removed[t]=i end
return i.units
end
local function aP(a,t,n,p)
local d=w[a]
local s=al(d,t)
d.added[t]={instant=p,units=s+n,id=t}
end
function u.charge(a,b,n,t)
u.advance(a)
e[a]=L(a)
aP(a,t,n,e[a]+b.period)
c[a]=c[a]+n
end
u.settle=u.advance
function u.reset_after(a,b)
return u.used(a)==0 and 0 or e[a]+b.period-g
end
function u.begin(a,b,o,H,f)
u.open(a,b)
c[a],e[a],S[a],h[a]=0,f,nil,0
if o>0 then u.charge(a,b,o,ax)end
end
local function R(p,n,l)
local r={}
for k,i in ipairs(p)do
r[k]={instant=J(i.instant-n,l),units=i.units,id=i.id}
end
return r
end
function u.keep(a,b,i)
bn(a,b,"ZRANGE",bk)
u.advance(a)
local d,l=w[a],L(a)+b.period
if d.kept then d.kept=R(d.kept,0,l)
elseif b.period<i.period and not ac[a]then co(d,l)
end
e[a]=L(a)
return true
end
local function bJ(r,n)
local a={}
for t,i in pairs(r)do a[t]={instant=i.instant-n,units=i.units,id=t}end
return a
end
function u.rewind(a,n)
local d=w[a]
d.floor,d.over,d.found=d.floor-n,nil,{}
d.added,d.removed=bJ(d.added,n),bJ(d.removed,n)
if d.kept then d.kept=R(d.kept,n,math.huge)else d.shift=d.shift+n end
end
local function s(a,t,q)
u.advance(a)
local d=w[a]
local i=bI(d,t)
if not i or i.units~=q then return false end
c[a]=c[a]-al(d,t)
return true
end
local function bM(a,b,t,q)
local j=s(a,t,q)
if j then u.charge(a,b,q,t)end
return j
end
local function bH(a,b)
for H,f in ipairs(X[a]or{})do
if A[f].algorithm==u then b(f,A[f])end
end
end
function u.release(a,H,t,q)
bH(a,function(f)s(f,t,q)end)
s(a,t,q)
end
function u.renew(a,b,t,q)
if not bM(a,b,t,q)then return end
bH(a,function(f,d)
if not bM(f,d,t,q)then u.charge(f,d,q,t)end
end)
end
local function cf(a,b,n)
local d,f,k=w[a],L(a),e[a]+b.period
for H,i in ipairs(d.kept or{})do
local j=i.instant>d.floor and not d.removed[i.id]
if j then n=n-i.units end
if j and n<=0 then return i.instant end
end
if d.kept then return k end
while f+1<k do
local i=M((f+k)/2)
if bG(d,i)>=n then k=i else f=i end
end
return k
end
function u.note(a,b,i)
local d=w[a]
if O[a]and O[a]>g then d.cuts[z(e[a],O[a])]=true end
if i>=0 and u.used(a)>i then d.cuts[cf(a,b,c[a]-i)]=true end
end
function u.note_each(a)
aE[a].is_whole=true
end
function u.see(a,b)
local d=w[a]
aE[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=z(d.floor,L(a)),
used=u.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function ck(C)
local b,r=C.found,{}
if C.is_whole then b=C.kept or cl(C)end
for H,i in pairs(b)do
if i and i.instant>C.floor then r[#r+1]=i end
end
table.sort(r,function(a,f)return a.instant<f.instant end)
return r
end
function u.show(a,l)
local C,q,d,o,f=aE[a],#l+1,0,0,1
local r=ck(C)
local function G(p,n,t)
l[#l+1],l[#l+2],l[#l+3]=p,n,t
d=d+1
end
l[q],C.cuts[C.latest]=0,true
for H,b in ipairs(bt(C.cuts))do
if b>C.floor and b<=C.latest then
local k=b==C.latest and C.used or by(C,b)
local j=k-o
while r[f]and r[f].instant<=b do
local i=r[f]
G(i.instant,i.units,i.id)
j,f=j-i.units,f+1
end
if j>0 then G(b,j,-2-d)end
o=k
end
end
l[q]=d
end
local function o(d)
local r={}
for H,i in ipairs(d.kept)do
if i.instant>d.floor and not d.removed[i.id]then r[#r+1]=i end
end
for H,i in pairs(d.added)do r[#r+1]=i end
return r
end
function u.divide(a)
local d,j=w[a],{}
if not d.kept and c[a]==m(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local r=o(d)
if#r<=aX or not(d.is_apart or aT(d.key,"ZRANGE",bk))then
for k,i in ipairs(r)do j[k]=E(v,i.instant,i.units,i.id)end
return"",table.concat(j)
end
d.moved=r
end
for H,i in pairs(d.moved or d.added)do
bo(i.units,function(k)d.sizes=z(d.sizes,k)end)
end
return E(aU,d.sizes,d.floor,d.shift),""
end
function u.write(a,G)
local d=w[a]
if d.kept and d.is_apart then K("UNLINK",d.key)end
if d.kept and not d.moved then return end
local f=cp(d,d.removed,d.moved or d.added)
if not d.kept then cd(d,f)end
K("PEXPIRE",d.key,G)
end
ad[aW]=u
end
if aa or br then
local aw,al=string.rep,table.remove
local bG,by=c,e
local function B(a)
return z(e[a],g)
end
local function x(a,n)
local j={unpack(w[a].shares)}
for k=1,#j,N do j[k]=j[k]-n end
w[a]={shares=j}
return j
end
local function V(a)
local j,p=w[a].shares,B(a)
if not j[1]or j[1]>p then return end
j=x(a,0)
while j[1]and j[1]<=p do
for H=1,N do al(j,1)end
end
end
local function C(a,p)
local j,n=w[a].shares,0
for k=1,#j,N do
if j[k]>p then n=n+j[k+1]end
end
return n
end
local function u(a)
w[a]={shares={}}
end
local function bq(a)
local m=aR[a]or""
local q=#m/bE
if q%1~=0 or q>aY then return aF(a)end
local j={I(aw(bc,q),m)}
j[#j]=nil
w[a]={shares=j}
end
local function bk(a)
local j=w[a].shares
return"",E(aw(bc,#j/N),unpack(j))
end
local function bt(a)
aE[a]=w[a].shares
end
local function bl(a,l)
local j,f=aE[a],#l+1
l[f]=#j/N
for k=1,#j do l[f+k]=j[k]end
end
local function bo(a,b)
if C(a,B(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],S[a],h[a]=C(a,0)*b.counts_per_unit,nil,0
return true
end
local function aC(a,b,f,R,G)
b.algorithm.advance(a,b)
local j,m=x(a,0),0
local d,i=0,0
for r=1,R+G do
local aX,n,k=F[f],F[f+1],N
while j[k]and j[k]~=aX do k=k+N end
if j[k]then
local s=j[k-1]
local p=J(s,n)
local L=r>R and 0 or p
j[k-1],m,i=L,m-s+L,i+s-p
if r>R then d=d+p end
for H=1,L==0 and N or 0 do al(j,k-2)end
end
f=f+2
end
c[a]=c[a]-d*b.counts_per_unit
h[a]=h[a]+i*b.counts_per_unit
end
local function G(a,b,t,y)
if not b.share then return 0 end
local d=b.algorithm
d.advance(a,b)
local j,m,o=x(a,0),C(a,0),d.used(a,b)
local s=d.lent_until(a,b)
local n=0
if y>0 and#j<N*aY then
local k=M(b.capacity_ticks/b.ticks_per_unit/2)
n=J(y,Q(M((b.capacity_ticks-o)/b.ticks_per_unit)/2),k-m)
end
if n>0 then
local r,p=n,z(s,j[#j-2]or s)
for k=#j,N,-N do
if j[k]==t then
r=r+j[k-1]
for H=1,N do al(j,k-2)end
end
end
local v=#j
j[v+1],j[v+2],j[v+3]=p,r,t
m=m+n
else
n=0
end
c[a]=c[a]+n*b.counts_per_unit
return n
end
local function m(d)
d.open,d.load,d.divide,d.see,d.show,d.rewind=u,bq,bk,bt,bl,x
d.forget,d.report,d.lend=bo,aC,G
return ap(d)
end
local l={base=ad[au],is_reservable=true,define=ad[au].define}
local function i(a,b)
local c,e,j=bG[a],by[a],w[a].shares
local o=C(a,0)*b.ticks_per_unit
local k,L=1,z(g,e)
while k<#j and j[k]<=L do
local p=j[k]
if p>e then
c,e=z(o,c-(p-e)*b.refill_per_ms),p
end
o,k=o-j[k+1]*b.ticks_per_unit,k+N
end
if g>e then c,e=z(o,c-(g-e)*b.refill_per_ms),g end
return c,e,o
end
function l.used(a,b)
return(i(a,b))
end
function l.advance(a,b)
local o
c[a],e[a],o=i(a,b)
h[a]=J(h[a],c[a]-o)
V(a)
end
function l.reset_after(a,b)
local j,n=w[a].shares,nil
local c,e,o=i(a,b)
local r,p=c,e
for k=1,#j,N do
if j[k]>e then
r=z(o,r-(j[k]-p)*b.refill_per_ms)
p,o=j[k],o-j[k+1]*b.ticks_per_unit
end
end
n=r<=0 and 0 or p+Q(r/b.refill_per_ms)-g
return n
end
function l.lent_until(a,b)
return B(a)+b.share
end
local function j(f)
local d=setmetatable({base=f},{__index=f})
function d.advance(a,b)
f.advance(a,b)
V(a)
end
function d.lent_until(a,b)
return J(B(a)+b.share,e[a]+b.period)
end
return d
end
ad[bi]=m(l)
ad[bg]=m(j(ad[P]))
ad[bh]=m(j(ad[aG]))
end
for H,b in ipairs(ae)do bF(b)end
local bk=aa or ah[aK]or ah[aW]or br
for C=1,#D,ak do
local v,a=J(C+ak-1,#D),{}
for k=C,v do a[#a+1]=KEYS[D[k]]end
if K("EXISTS",unpack(a))>0 then
for k=C,v do
if K("EXISTS",KEYS[D[k]])==1 then aF(D[k])end
end
end
end
for H,a in ipairs(D)do
if not ac[a]then A[a].algorithm.begin(a,A[a],0,0,g)end
end
if aa then
local bU=7
local function bq(y)
local f={}
for a in string.gmatch(y or"","[^,\\n]+")do f[#f+1]=tonumber(a,36)or false end
local d,ap,al,s,j,k=unpack(f)
local a=ad[d]
if not(a and ap and al)then return nil end
s=s or ap
local b=bs(y,d,ap,al,1,0,0,0)
b.max_reserved,b.start=j or nil,k or nil
if a.define then a.define(b)end
b.capacity_ticks=s*b.ticks_per_unit
if a.is_reservable and ap>0 then
local i=(a.most_counts and a.most_counts(b)or W)-b.capacity_ticks
b.debt_ticks=j and J(j*b.ticks_per_unit,i)or i
end
bF(b)
return b
end
local B=T
local function C(a)
B=B+1
bp[B]=a
return B
end
local function cg(a,m)
local r=cmsgpack.unpack(m)
if type(r[1])=="number"then an[a]=table.remove(r,1)end
bQ(a,r)
X[a]=#r>0 and{}or nil
for k,d in ipairs(r)do
local f,y,n=C(a),nil,nil
y,c[f],e[f],h[f],S[f],aj[f],n,aR[f]=
unpack(d)
if S[f]==0 then S[f]=nil end
local b=assert(bq(y))
A[f],X[a][k]=b,f
if n~=""then aQ[f]={I(aU,n)}end
if b.algorithm.load then b.algorithm.load(f,b)end
assert(not ac[f])
end
end
function bL(a)
local r,l={an[a]},z(g,an[a]or 0)
r[#r+1]=Y[a]
for H,f in ipairs(X[a]or{})do
local b,n,o=A[f],"",""
l=z(l,aj[f])
if b.algorithm.divide then n,o=b.algorithm.divide(f)end
r[#r+1]={
b.definition,c[f],e[f],h[f],S[f]or 0,aj[f],n,o,
}
end
return cmsgpack.pack(r),l-g
end
function bS(a,G)
for H,f in ipairs(X[a]or{})do
local d=A[f].algorithm
if d.write then d.write(f,G)end
end
end
local function cf(a)
local i=bq(string.match(af[a],"^[^\\n]*\\n"))
if not i or not bK(a,#i.definition)then return nil end
if aN[a]and not pcall(cg,a,aN[a])then return nil end
return i
end
local function aw(o,i,b)
if i.ticks_per_unit==b.ticks_per_unit then return o end
local n=M(o/i.ticks_per_unit)
local k=(o-n*i.ticks_per_unit)/i.ticks_per_unit
return n*b.ticks_per_unit+J(b.ticks_per_unit,Q(k*b.ticks_per_unit))
end
local function bN(o,i,b)
return b.capacity_ticks+J(aw(z(0,o-i.capacity_ticks),i,b),b.debt_ticks)
end
local function bt(a,f)
return(a.base or a)==(f.base or f)
end
local function ch(a,b,i)
local f,d=i.algorithm,b.algorithm
if bt(f,d)and d.keep(a,b,i)then
if f.base or d.base then w[a]=d.base and{shares={}}or nil end
return
end
f.advance(a,i)
local o=f.used(a,i)
local p=J(aw(o,i,b),bN(o,i,b))
local u=J(p,aw(h[a]*i.ticks_per_unit/i.counts_per_unit,i,b))
w[a]=nil
d.begin(a,b,p,u,z(g,e[a]))
end
local function bl(b)
if b.rate==0 then return 2*b.period end
return b.period*z(2,Q(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function bI(a,f)
c[f],e[f],h[f],S[f]=c[a],e[a],h[a],S[a]
end
local function bJ(a,f)
for d,r in pairs(a)do
if f[d]==nil then f[d]=r end
end
return f
end
local function bH(u,l)
local a={}
for t,i in pairs(u or{})do
a[t]={instant=J(i.instant,l),units=i.units,id=t}
end
return a
end
function bn(a,b,i,L)
local d,l=w[a],z(e[a],g)+b.period
local f=bJ(d,{
key=aS(a,b),is_beside=false,cuts={},found={},
removed=bH(d.removed,l),added=bH(d.added,l),
})
w[a]=f
if not f.is_apart or f.key==d.key then return end
if not aT(f.key,i,L)then return aF(a)end
K(d.is_beside and"COPY"or"RENAME",d.key,f.key)
end
local function bG(a,i,b)
local f=C(a)
A[f],w[f]=i,w[a]
if w[a]then
w[a].is_beside=true
w[a]=bJ(w[a],{})
end
bI(a,f)
aj[f]=J(g+z(i.algorithm.reset_after(f,i),bl(i),bl(b)),W)
return f
end
local function G(a,b)
if e[a]-g<b.period then return 0 end
local o=b.algorithm.is_aligned and b.period or 1
local n=M((e[a]-g)/o)*o
e[a],O[a]=e[a]-n,O[a]and z(0,O[a]-n)
local m=Y[a]
if m then Y[a]={m[1],z(0,m[2]-n),m[3],z(0,m[4]-n)}end
if w[a]then b.algorithm.rewind(a,n)end
return n
end
local function aC(j)
local p={}
for H,f in ipairs(j or{})do
aj[f]=aj[f]-G(f,A[f])
if aj[f]>g then p[#p+1]=f end
end
return p
end
local R="1,0,eiz5s00,gjdgxs\\n"
local function bo(j)
for k,f in ipairs(j or{})do
if A[f].definition==R then return f,k end
end
end
local function ck(a)
local m=C(a)
A[m]=bq(R)
c[m],e[m],S[m],h[m],aj[m]=0,g,0,0,0
return m
end
local function ca(a,i,j)
local m,k=bo(j)
if m then table.remove(j,k)else m=ck(a)end
local o,f=i.algorithm.used(a,i),i.ticks_per_unit
c[m]=z(c[m],Q(o/f))
S[m]=z(S[m]or 0,Q((o-i.capacity_ticks)/f))
aj[m]=z(aj[m],J(g+i.algorithm.reset_after(a,i),W))
j[#j+1]=m
end
local function cd(a,b)
local m=bo(X[a])
if not m then return end
local d,f=b.algorithm,b.ticks_per_unit
local j=J((S[m]or 0)*f,b.debt_ticks)
local o=J(c[m]*f,b.capacity_ticks+j)
local k=o-d.used(a,b)
if k<=0 then return end
if d.holds_leases then return d.charge(a,b,k,g)end
d.advance(a,b)
d.begin(a,b,o,h[a]*f/b.counts_per_unit,z(g,e[a]))
end
local function bM(j)
return#j-(bo(j)and 1 or 0)>=bU
end
local function co(a,b,i,j)
if i.algorithm.reset_after(a,i)>0 then
if bM(j)then ca(a,i,j)
else j[#j+1]=aC({bG(a,i,b)})[1]end
end
X[a]=#j>0 and j or nil
ch(a,b,i)
cd(a,b)
end
local function cm(a,b,i,j,d)
G(a,i)
local f=table.remove(j,d)
j[#j+1]=bG(a,i,b)
X[a]=j
bI(f,a)
w[a]=w[f]
end
local function aX(j,b)
for k,f in ipairs(j)do
if A[f].definition==b.definition then return k end
end
end
local function al(a,b,i)
local j=aC(X[a])
local d=aX(j,b)
if d then cm(a,b,i,j,d)else co(a,b,i,j)end
end
local x={}
local by=2147483647
local function u(a,i,b)
local d=b.algorithm
if(an[a]or 0)<=g or d.base then return false end
return bt(i.algorithm,d)or bt(i.algorithm,ad[au])and not d.holds_leases
end
local function cp(b)
if b.max_reserved then return 0 end
local d,a=b.algorithm,by*b.refill_per_ms
if d.is_aligned then a=M(by/b.period)*b.rate
elseif d.queues then a=z(0,a+b.ticks_per_unit-b.capacity_ticks)
end
return z(0,b.debt_ticks-a)
end
local function r(a,p)
ab=ab or{}
ab[a]=p
end
local function p(a,b,i)
x[a]={plan=b,anchor=ab and ab[a]or 0,own=i}
i.unreservable=cp(i)
if i.definition~=b.definition then A[a]=i end
r(a,e[a])
end
local function cl(a,l,V)
local j,t=X[a]or{},x[a].plan
local k=aX(j,t)
local d=k and aj[j[k]]>an[a]
for H,f in ipairs(j)do
local y,v=A[f].definition,#l
local b=y==t.definition and 0 or y==R and 1 or 2
if b<2 or not d then
l[V]=l[V]+1
l[v+1],l[v+2],l[v+3]=b,c[f],e[f]
l[v+4],l[v+5],l[v+6]=h[f],S[f]or 0,aj[f]
end
end
end
function bP(a,l)
local b,f=x[a].own,#l
l[f+1],l[f+2],l[f+3],l[f+4]=an[a],b.kind,b.rate,b.period
l[f+5]=b.capacity_ticks/b.ticks_per_unit
l[f+6],l[f+7]=b.max_reserved or-1,b.start or-W
l[f+8]=0
local d=b.algorithm.keeps_list or x[a].plan.algorithm.keeps_list
if not d then cl(a,l,f+8)end
end
local function l(a,b,d,m)
local j=X[a]or{}
local k=aX(j,b)
if not k and bM(j)then return end
local f=k and table.remove(j,k)or C(a)
if not k then
A[f]=b
r(f,d)
b.algorithm.begin(f,b,0,0,g)
end
aj[f]=J(W,z(aj[f]or 0,m+bl(b)))
j[#j+1],X[a]=f,j
end
function bO(a,b,n)
local s,d=x[a],ab and ab[T+1]or 0
local t,f=A[a],ab and ab[a]or 0
if s then
t,f=s.plan,s.anchor
r(a,f)
an[a]=nil
if s.own.definition~=t.definition then al(a,t,A[a])end
A[a]=t
end
if n>0 then
if b.definition~=t.definition then
r(a,d)
al(a,b,t)
A[a]=b
l(a,t,f,g+n)
end
an[a]=g+n
r(a,e[a])
end
G(a,A[a])
end
function aL(a,b)
local d=e[a]>g and c[a]==0 and(S[a]or 0)==0 and(O[a]or 0)<=g
if d then b.algorithm.begin(a,b,0,0,g)end
end
local function k(a,b)
local i=cf(a)
if not i then return aF(a)end
local L=u(a,i,b)
if L then p(a,b,i)end
local d=L or i.definition==b.definition
if d and e[a]<=g then return end
if i.algorithm.load then i.algorithm.load(a,i)end
if ac[a]then return end
if not L then an[a]=nil end
if not d then al(a,b,i)end
G(a,A[a])
aL(a,A[a])
ag[a]=true
end
function aM(a,b,q,i)
local j=aC(X[a])
X[a]=#j>0 and j or nil
local o=b.algorithm.used(a,b)
for H,f in ipairs(j)do
local d,n=A[f],q
if i==ax or not d.algorithm.holds_leases then
local m=bN(o,b,d)-d.algorithm.used(f,d)
n=J(q,M(m/d.ticks_per_unit))
end
if n>0 then d.algorithm.charge(f,d,n,i~=ax and i or g)end
end
end
for H,a in ipairs(aa)do k(a,A[a])end
end
for a=1,bk and T or 0 do
local b=A[a]
if b.algorithm.load and not ac[a]then
if not w[a]then b.algorithm.load(a,b)end
if not ac[a]then b.algorithm.see(a,b)end
end
end
local l,aw={g,0},{}
for a=1,T do
local f=aZ+bb*(a-1)
local b,d=c[a],h[a]
if A[a].algorithm.note and not ac[a]then
b=A[a].algorithm.used(a,A[a])
d=J(d,b)
end
l[f+1],l[f+2]=b,g-e[a]
if d~=b and not ac[a]then aw[a]=b-d end
end
local aX=#l+1
l[aX]=0
if next(aw)or next(S)or next(O)or next(an)or next(Y)then
for a=1,T do
local u,m,p=(an[a]or 0)>g,Y[a],O[a]or 0
if aw[a]or S[a]or O[a]or u or m then
local f,V=#l,u and-a or a
l[aX]=l[aX]+1
l[f+1],l[f+2],l[f+3],l[f+4]=V,aw[a]or 0,S[a]or 0,p
if m then
l[f+4]=-1-p
l[f+5],l[f+6],l[f+7],l[f+8]=unpack(m,1,bD)
end
if u then bP(a,l)end
end
end
end
local x=0
local al
local function bq(a,b,o,i)
local d=O[a]and O[a]>g
return not d and b.algorithm.used(a,b)+o<=i
end
local function r(a,b,o,i)
if aa then aL(a,b)end
if ac[a]then return false end
if bq(a,b,o,i)then return true end
local d=b.algorithm
if d.note then d.note(a,b,i-o)end
return false
end
local function bo(a,b,q,i)
b.algorithm.charge(a,b,q,i)
if X[a]then aM(a,b,q,i)end
ag[a]=true
end
local function bt(a)
local b=A[a]
if not r(a,b,b.ticks_per_unit,b.capacity_ticks)then
return al and al({a})
end
bo(a,b,1,ax)
x=x+1
end
if not F then
for a=1,T do bt(a)end
else
local function p(a,b,d,n)
d.advance(a,b)
local L=d.is_aligned or d.holds_leases and c[a]>0
if not L then e[a]=z(e[a],g)end
O[a]=z(e[a],g)+n
local m=Y[a]
if m and m[1]==0 then Y[a]={0,0,m[3],m[4]}end
end
local function by(a)
local d,m,b,as=unpack(Y[a]or{0,0,0,0})
if d>0 or m<=g then m=0 end
if as<=g then b,as=0,0 end
Y[a]=(m>0 or b>0)and{0,m,b,as}or nil
end
local function B(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function bG(a,b,d)
if O[a]and O[a]<=g then O[a]=nil end
by(a)
local m={}
for H,f in ipairs(X[a]or{})do
if aj[f]>g and B(f,A[f])then m[#m+1]=f
else as[#as+1]=w[f]
end
end
X[a]=#m>0 and m or nil
if not B(a,b)then d.begin(a,b,0,0,g)end
end
local function L(a,d,f,n)
if d.show then d.show(a,l)end
bk=false
bO(a,ae[f],n)
end
local function k(o,a,C,f)
local b=A[a]
local d=b.algorithm
if ac[a]then return end
if aa then aL(a,b)end
if o==bX then d.settle(a,b,C,f)
elseif o==bW then bG(a,b,d)
elseif o==bT then p(a,b,d,C)
elseif o==bZ then O[a],Y[a]=nil,nil
elseif o==bA then L(a,d,C,f)
elseif o==bV and d.holds_leases then d.release(a,b,C,f)
elseif o==bC and d.holds_leases then d.renew(a,b,C,f)
end
if aa then aL(a,A[a])end
ag[a]=true
end
local s={}
if ai and ai.penalties then
local n=35
local function o(a,i)
local d,m,b,as=unpack(Y[a]or{0,0,0,0})
if m<=g then d=0 end
if d==0 then m=g+i end
if as<=g then b,as=0,0 end
return{d+1,m,b,as}
end
local function t(a)
local H,f,i,R,d=unpack(F,s[a],s[a]+av[bB]-1)
if f==0 or(O[a]or 0)>g then return end
local m,b=o(a,i),A[a]
Y[a],ag[a]=m,true
if m[1]<f then return end
p(a,b,b.algorithm,J(R*2^m[3],d))
Y[a]={0,O[a],J(m[3]+1,n),O[a]+d}
end
function al(j)
for H,a in ipairs(j)do
if ac[a]then return end
end
for H,a in ipairs(j)do
if s[a]then t(a)end
end
end
end
local function u(f,d)
if d==1 then return F[f],1,0,0,ax end
return unpack(F,f,f+d-1)
end
local function m(C,v,d,o)
local n,j=not o,{}
for f=C,v,d do
local a,q,V,aC=u(f,d)
local b=A[a]
if V==1 and b.unreservable then aC=b.unreservable end
local i=V==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not r(a,b,z(1,q)*b.ticks_per_unit+aC,i)then n,j[#j+1]=false,a end
end
if al and not o then al(j)end
for f=C,n and v or 0,d do
local a,q,H,H,i=u(f,d)
if q>0 then bo(a,A[a],q,i)end
x=x+1
end
end
local function bl(a,n)
local d=A[a].algorithm
if d.note_each and not ac[a]then d.note_each(a,A[a],n)end
end
local function j(f)
local a,q,V,t,y,R,G=unpack(F,f+1,f+av[aJ])
local b=A[a]
local d=b.algorithm
if ac[a]then return end
if aa then aL(a,b)end
if R+G>0 then
local aC=d.report or d.advance
aC(a,b,f+1+av[aJ],R,G)
ag[a]=true
end
local i=V==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not bq(a,b,z(1,q)*b.ticks_per_unit,i)then return end
if q>0 then bo(a,b,q,ax)end
local n=d.lend and d.lend(a,b,t,y)or 0
if n>0 and X[a]then aM(a,b,n,ax)end
ag[a],x=true,x+1+n
end
local f,v=1,#F
while f<=v do
local o,d=F[f],bR(f)
if o>0 then bt(o)
elseif o==aH then m(f+1+av[aH],f+d-1,aV)
elseif o==bd then m(f+1+av[bd],f+d-1,1)
elseif o==bj then m(f+1+av[bj],f+d-1,aV,true)
elseif o==aJ then j(f)
elseif o==bB then s[F[f+1]]=f+1
elseif o==bY then bl(F[f+1],F[f+2])
else k(o,F[f+1],F[f+2],F[f+3])
end
f=f+d
end
end
for a=1,bk and T or 0 do
local d=A[a].algorithm
if d.show and not ac[a]then d.show(a,l)end
end
local function v(a,j)
local y,c,e,h=A[a].definition,c[a],e[a],h[a]
local s,p,i,b,m,n,o=S[a],O[a]or 0,0,"",nil,"",""
local d,t=A[a].algorithm,nil
if d.divide then n,o=d.divide(a)end
if p~=0 then i,b=bf,E(bu,p)end
if j~=""then i,b=i+bw,b..E(bz,#j,j)end
if n~=""then i,b=i+bv,b..n end
if c<16777216 and h==c and not s then
if t then m=E("<c0Bi6I3i6",y,i,e,c,t)
else m=E("<c0Bi6I3",y,i,e,c)
end
else
local k,u="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if h~=c and h==0 then i=i+aq
elseif h~=c then i,u=i+ay,E("<I7",h)
end
if s then i,u=i+at,u..E("<I7",s)end
m=E(k,y,i,e,c)..u
end
return m..b..o
end
local function o(a)
local b,d,j,f=A[a],KEYS[a],"",0
local s,p=S[a]or 0,O[a]or 0
local n,m=b.algorithm.reset_after(a,b),Y[a]
local i=m and z(m[2],m[4])-g or 0
if m and i<=0 and Z==0 then Y[a]=nil end
if X[a]or an[a]then j,f=bL(a)
elseif Y[a]then j=cmsgpack.pack({Y[a]})
end
n=z(n,p-g,f,i)
if not(n>0 or Z>0 and(c[a]>0 or s>0 or p>0 or m))then
if w[a]and w[a].is_apart then K("UNLINK",w[a].key)end
return K("DEL",d)
end
local G
G=ar("%d",(n<W and n or W)+Z)
K("PSETEX",d,G,v(a,j))
if b.algorithm.write then b.algorithm.write(a,G)end
if X[a]then bS(a,G)end
end
local function f()
for a=1,T do
if ag[a]and not ac[a]then o(a)end
end
for H,d in ipairs(as)do
if d.is_apart then K("UNLINK",d.key)end
end
end
local b,B=pcall(f)
if not b then
local m=type(B)=="table"and B.err or B
x=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if U(m,a,1,true)then x=-k end
end
local a=U(m,"READONLY ",1,true)
if a then return{err=string.sub(m,a)}end
if not x then error(B,0)end
end
l[aO]=x
return l
`,
} as const;

/** The script of the register. */
export const REGISTER_SCRIPT = {
  sha1: "9bca84550864330ecc3f4c1e23c3ea82bdbe596f",
  source: `local a,g=redis.call,string.format
local i,f,c=KEYS[1],KEYS[2],KEYS[3]
local l,b,j=ARGV[1],ARGV[3],ARGV[4]
local function q()
if ARGV[2]~=""then return tonumber(ARGV[2])end
local d=a("TIME")
return d[1]*1000+math.floor(d[2]/1000)
end
local function s(h)
local d=a("HGET",f,h)
return d and string.match(d,"^%d+")
end
local function k(d)
if#d==0 then return end
a("ZREM",i,unpack(d))
a("ZREM",c,unpack(d))
a("HDEL",f,unpack(d))
end
local function r(d)
local h=math.max(d+ARGV[6],a("ZSCORE",c,b)or 0)
a("ZADD",i,0,b)
a("HSET",f,b,g("%s %.0f %s",j,d,ARGV[5]))
a("ZADD",c,g("%.0f",h),b)
k(a("ZRANGEBYSCORE",c,"-inf",g("%.0f",d),"LIMIT",0,10))
local n=a("ZRANGE",c,-1,-1,"WITHSCORES")[2]-d
for m,e in ipairs(KEYS)do a("PEXPIRE",e,g("%.0f",n))end
end
local function p()
local n,o,e="("..b,"("..j,{}
for m,h in ipairs(a("ZRANGEBYLEX",i,n,o,"LIMIT",0,ARGV[5]))do
local d=a("HGET",f,h)
if d then
e[#e+1]=h
e[#e+1]=d
end
end
return e
end
if l=="list"then return p()end
if l=="put"then r(q())
elseif s(b)==j then k({b})end
return""
`,
} as const;
