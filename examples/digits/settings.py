"""What the array job tries: one setting per child, by its index."""
SETTINGS = [
    {'hidden': hidden, 'rate': rate, 'decay': decay}
    for hidden, decay in ((16, 0.0), (64, 0.0001), (192, 0.001))
    for rate in (0.03, 0.1, 0.3, 1.0)
]


def text(setting):
    return f"hidden {setting['hidden']:3d}  rate {setting['rate']:<4g}  decay {setting['decay']:g}"
