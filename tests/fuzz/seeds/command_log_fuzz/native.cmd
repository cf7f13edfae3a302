# diffram-commands 1 channel rank bank_group bank row column
2 ACT 0 0 0 0 1
24 RDA 0 0 0 0 1 5
90 PREA 1 0
99 REFab 0 0
