arrayFilter(
  eine -> eine.3,
  [
    ('inbetriebnahme', units.inbetriebnahmedatum, units.inbetriebnahmedatum IS NOT NULL OR coalesce(units.statusId = 35, false)),
    ('stilllegung', units.stilllegungsdatum, units.stilllegungsdatum IS NOT NULL),
    (
      if(units.inbetriebnahmedatum IS NULL, 'planung', 'planung_mit_inbetriebnahme'),
      units.geplantesInbetriebnahmedatum,
      coalesce(units.statusId = 31, false)
        OR (units.inbetriebnahmedatum IS NULL AND units.geplantesInbetriebnahmedatum IS NOT NULL)
    )
  ]
)
