-- The units of each location, in the order of the locations: what stands together is found without reading the register.
SELECT {{location}} AS lokation, nummer
FROM {{units}}
WHERE lokationMastrNummer IS NOT NULL
ORDER BY lokation, nummer
