-- The conspicuous units, with every column of the projections: they are few, so what sums up units can say at no cost how many of them
-- it counts. The projection of seldom values has them all, as `auffaelligkeiten` is one.

SELECT projected.*, units.region AS region
FROM {{seldom}} AS projected
JOIN {{units}} AS units ON units.nummer = projected.mastrNummer
WHERE projected.{{isConspicuous}}
