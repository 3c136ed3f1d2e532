-- A window that begins after now was begun by a clock that has been set back since (migration 0002 has the function as it
-- was): without this its key would have to wait for the clock to come to it again.
CREATE OR REPLACE FUNCTION count_in_window(wish wish) RETURNS limit_windows LANGUAGE plpgsql AS $$
DECLARE
  -- What began earlier is over.
  earliest timestamptz := now() - make_interval(secs => wish.seconds);
  -- A statement that began later may have been first; how long one waits for another is bounded (sql/org/postgres.ts).
  latest timestamptz := now() + interval '15 seconds';
  counted limit_windows;
BEGIN
  IF wish.amount > 0 THEN
    INSERT INTO limit_windows AS w (organisation_id, key_id, cost_class, began, used)
    VALUES (wish.organisation_id, wish.key_id, wish.cost_class, now(), wish.amount)
    ON CONFLICT (key_id, cost_class) DO UPDATE SET
      began = CASE WHEN w.began > earliest AND w.began <= latest THEN w.began ELSE now() END,
      used = CASE WHEN w.began > earliest AND w.began <= latest THEN w.used ELSE 0 END + wish.amount
    RETURNING * INTO counted;
  ELSE
    SELECT * INTO counted FROM limit_windows w
    WHERE w.key_id = wish.key_id AND w.cost_class = wish.cost_class AND w.began > earliest AND w.began <= latest;
    IF NOT FOUND THEN
      counted := (wish.organisation_id, wish.key_id, wish.cost_class, now()::timestamptz(3), 0);
    END IF;
  END IF;
  RETURN counted;
END $$;
