; Two paintings and a statue change houses.
(define (problem new-wing)
  (:domain museum)
  (:objects
    hall attic salon - room
    north-yard south-yard - yard
    sunflower harbour - painting
    thinker - statue
    little-trolley big-trolley - trolley
    van - van)
  (:init
    (door hall attic) (door attic hall) (door hall north-yard) (door north-yard hall)
    (door salon south-yard) (door south-yard salon)
    (gate north-yard south-yard) (gate south-yard north-yard)
    (at sunflower attic) (at harbour hall) (at thinker north-yard)
    (at little-trolley hall) (free little-trolley)
    (at big-trolley salon) (free big-trolley)
    (at van south-yard) (free van))
  (:goal (and (at sunflower salon) (at harbour salon) (at thinker south-yard))))
