#!/usr/bin/env python3
"""Writes letter_case_table.cc from the Unicode tables that Python carries.

usage: make_letter_case.py > letter_case_table.cc
"""
import unicodedata


def moves(change):
    """(first, last, distance, step) of the letters that become one other letter; and those that become several."""
    ranges, several = [], []
    for code in range(0x80, 0x110000):
        if 0xd800 <= code < 0xe000:
            continue
        changed = change(chr(code))
        if len(changed) > 1:
            several.append((code, changed))
        elif changed != chr(code):
            distance = ord(changed) - code
            if ranges and ranges[-1][2] == distance:
                first, last, _, step = ranges[-1]
                if code - last == step or (first == last and code - last == 2):
                    ranges[-1] = (first, code, distance, code - last)
                    continue
            ranges.append((code, code, distance, 1))
    return ranges, several


def main():
    upper, expansions = moves(str.upper)
    lower, _ = moves(str.lower)
    print(f'// Made by make_letter_case.py from Unicode {unicodedata.unidata_version}.')
    print('#include "core/workflow/jsonata/value/letter_case.h"\n\nnamespace stoker::jsonata {\n\nnamespace {\n\n// clang-format off')
    for name, ascii_first, ascii_distance, ranges in (('Upper', 0x61, -32, upper), ('Lower', 0x41, 32, lower)):
        print(f'constexpr CaseRange k{name}[] = {{')
        rows = [(ascii_first, ascii_first + 25, ascii_distance, 1)] + ranges
        for at in range(0, len(rows), 4):
            print('    ' + ' '.join(f'{{{a:#x}, {b:#x}, {c}, {d}}},' for a, b, c, d in rows[at:at + 4]))
        print('};')
    print('constexpr CaseExpansion kExpansions[] = {')
    for code, text in expansions:
        escaped = ''.join(f'\\x{byte:02x}' if byte >= 0x80 else f'" "{chr(byte)}' for byte in text.encode())
        escaped = escaped.removeprefix('" "')
        # A hex escape would swallow a letter behind it: such literals are cut.
        print(f'    {{{code:#x}, "{escaped}"}},')
    print('};\n// clang-format on\n\n}  // namespace\n')
    print('std::span<const CaseRange> upper_ranges() {\n  return kUpper;\n}\n')
    print('std::span<const CaseRange> lower_ranges() {\n  return kLower;\n}\n')
    print('std::span<const CaseExpansion> upper_expansions() {\n  return kExpansions;\n}\n\n}  // namespace stoker::jsonata')


main()
