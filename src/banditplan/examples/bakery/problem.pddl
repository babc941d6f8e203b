; Three loaves before breakfast.
(define (problem breakfast)
  (:domain bakery)
  (:objects rye spelt wheat bowl oven)
  (:init
    (loaf rye) (loaf spelt) (loaf wheat) (bowl bowl) (oven oven)
    (ordered rye) (ordered spelt) (ordered wheat)
    (dirty bowl) (cold oven) (empty oven))
  (:goal (and (baked rye) (baked spelt) (baked wheat))))
