-- The conspicuous units, with every column of the projections: they are few, so what sums up units can say at no cost how many of them
-- it counts. The projection of seldom values has them all, as `auffaelligkeiten` is one.

CREATE TABLE units_auffaellig AS
SELECT projected.*, units.region AS region
FROM units_by_planned_commissioning AS projected
JOIN units ON units.nummer = projected.mastrNummer
WHERE projected.{{isConspicuous}};
