2                  activate               0   0   2   3     0x1f      0x0
90                 refresh                0   0  -1  -1     -0x1     -0x1
