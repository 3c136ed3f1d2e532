-- The units in which a version that was served and withdrawn (rolled back), attached as `withdrawn_version`, differs from the
-- version `{{common}}`, from which both descend. They count as changed by this build: then a delta leads from it to here.

INSERT INTO withdrawn_units
SELECT {{version}}, nummer, true FROM withdrawn_version.units WHERE inhaltSeit > {{commonThere}}
UNION
SELECT {{version}}, nummer, false FROM withdrawn_version.units_departed WHERE abgangSeit > {{commonThere}};

INSERT INTO withdrawn_versions VALUES ({{version}}, {{versionSequence}}, {{commonHere}});
