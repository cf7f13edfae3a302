# channel 0
2 ACT 0 1 2 9
24 RD 0 1 2 9 3
60 PRE 0 1 2
# channel 1
1 REF 0
9 SREFE 0
