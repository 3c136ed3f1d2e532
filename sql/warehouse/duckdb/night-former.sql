-- The rows that the version before has of the affected units, with its places: all that computing these units reads of it.

CREATE TABLE replaced.units AS FROM previous_version.units LIMIT 0;
CREATE TABLE replaced.units_departed AS FROM previous_version.units_departed SEMI JOIN affected USING (nummer);
CREATE TABLE replaced.dataset AS FROM previous_version.dataset;
CREATE TABLE replaced.vorgaenger AS FROM previous_version.vorgaenger;
CREATE TABLE replaced.regionen AS FROM previous_version.regionen;
CREATE TABLE replaced.regionen_verlauf AS FROM previous_version.regionen_verlauf;
CREATE TABLE replaced.gebiete AS FROM previous_version.gebiete;
CREATE TABLE replaced.gebiete_verlauf AS FROM previous_version.gebiete_verlauf;
CREATE VIEW scratch.former_units AS FROM replaced.units;
