-- SPDX-License-Identifier: MIT
-- Velocity Verlet: ghc -O verlet.hs && livi-judge -- ./verlet (the protocol: docs/protocol.md).
import Control.Monad (foldM)
import System.IO

type Point = ([Double], [Double])

numbers :: [String] -> [Double]
numbers = map read

say :: String -> [Double] -> IO ()
say what x = putStrLn (unwords (what : map show x))

-- The force is minus the gradient that the judge tells.
kick :: Double -> Point -> IO Point
kick h (q, p) = do
  say "gradient" q
  answer <- getLine
  return (q, zipWith (\pi g -> pi - h * g) p (numbers (tail (words answer))))

step :: Double -> [Double] -> Point -> IO Point
step h m z = do
  (q, p) <- kick (h / 2) z
  kick (h / 2) (zipWith3 (\qi pi mi -> qi + h * pi / mi) q p m, p)

serve :: [Double] -> Point -> IO ()
serve m z = getLine >>= answer . words
  where
    answer ("livi" : _) = say "livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2" [] >> serve m z
    answer ("problem" : _ : _ : _ : masses) = say "ok" [] >> serve (numbers masses) z
    answer ("start" : _ : x) = say "ok" [] >> serve m (splitAt (length m) (numbers x))
    answer ["step", h, count] = do
      (q, p) <- foldM (\at _ -> step (read h) m at) z [1 .. read count :: Int]
      say "state" (q ++ p) >> serve m (q, p)
    answer ["bye"] = return ()
    answer _ = say "unsupported" [] >> serve m z

main :: IO ()
main = hSetBuffering stdout LineBuffering >> serve [] ([], [])
