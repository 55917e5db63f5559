/// TOML 1.0 documents and their values, by the sections of the specification.
enum TOMLValidCases {
    struct Case: Sendable {
        var text: String
        /// As `TOMLRendering` writes it.
        var values: String

        init(_ text: String, _ values: String) {
            self.text = text
            self.values = values
        }
    }

    static let documents: [Case] = [
        Case("", "{}"),
        Case("\n", "{}"),
        Case("\u{FEFF}a = 1", "{a: 1}"),
        Case(" \t# only a comment, with a tab \t and é", "{}"),
        Case("a = 1 # comment\n# [b]\n", "{a: 1}"),
        Case("a = 1\r\n\r\nb = 2\r\n", "{a: 1, b: 2}"),
        Case("\ta\t=\t1\t\n  b=2", "{a: 1, b: 2}"),
        Case("a = 1#c", "{a: 1}"),
        Case("a = \"# no comment\"", "{a: '# no comment'}"),
    ]

    static let keys: [Case] = [
        Case("key = 1\nbare_key = 2\nbare-key = 3\n1234 = 4", "{1234: 4, bare-key: 3, bare_key: 2, key: 1}"),
        Case("\"127.0.0.1\" = 1\n\"ʎǝʞ\" = 2\n'quoted \"value\"' = 3", "{127.0.0.1: 1, quoted \"value\": 3, ʎǝʞ: 2}"),
        Case("\"\" = 1", "{: 1}"),
        Case("'' = 1", "{: 1}"),
        Case("\"a\\tb\" = 1", "{a\tb: 1}"),
        Case("a.b.c = 1\na.b.d = 2", "{a: {b: {c: 1, d: 2}}}"),
        Case("site.\"google.com\" = true", "{site: {google.com: true}}"),
        Case("a . b = 1\na\t.\tc = 2", "{a: {b: 1, c: 2}}"),
        Case("apple.x = 1\norange.x = 2\napple.y = 3", "{apple: {x: 1, y: 3}, orange: {x: 2}}"),
        Case("3.14159 = \"pi\"", "{3: {14159: 'pi'}}"),
        Case("true = 1\ninf = 2\n2020-01-01 = 3", "{2020-01-01: 3, inf: 2, true: 1}"),
        Case("- = 1\n_ = 2", "{-: 1, _: 2}"),
        Case("\"a.b\" = 1\na.b = 2", "{a: {b: 2}, a.b: 1}"),
        Case("A = 1\na = 2", "{A: 1, a: 2}"),
    ]

    static let strings: [Case] = [
        Case(#"a = "\b\t\n\f\r\"\\""#, "{a: '\u{8}\t\n\u{C}\r\"\\'}"),
        Case(#"a = "\u00e9\u00E9\U0001F600""#, "{a: 'éé😀'}"),
        Case(#"a = "\u0000\uD7FF\uE000\U0010FFFF""#, "{a: '\u{0}\u{D7FF}\u{E000}\u{10FFFF}'}"),
        Case("a = \"\"", "{a: ''}"),
        Case("a = \"tab\there 'quotes'\"", "{a: 'tab\there 'quotes''}"),
        Case(#"a = 'C:\Users\n'"#, #"{a: 'C:\Users\n'}"#),
        Case("a = ''", "{a: ''}"),
        Case("a = '\"x\"'", "{a: '\"x\"'}"),
        Case("a = \"\"\"\"\"\"", "{a: ''}"),
        Case("a = ''''''", "{a: ''}"),
        Case("a = \"\"\"\nRoses\nViolets\"\"\"", "{a: 'Roses\nViolets'}"),
        Case("a = \"\"\"\r\nRoses\r\nViolets\"\"\"", "{a: 'Roses\nViolets'}"),
        Case("a = \"\"\"\n\nx\n\"\"\"", "{a: '\nx\n'}"),
        Case("a = \"\"\"The \\\n\n   \tfox \\\n  \\\n jumps.\"\"\"", "{a: 'The fox jumps.'}"),
        Case("a = \"\"\"The \\  \t\r\n   fox\"\"\"", "{a: 'The fox'}"),
        Case("a = \"\"\"\\\n   \"\"\"", "{a: ''}"),
        Case("a = \"\"\"Two \"\" quotes\"\"\"", "{a: 'Two \"\" quotes'}"),
        Case("a = \"\"\"Three \"\"\\\" quotes\"\"\"", "{a: 'Three \"\"\" quotes'}"),
        Case("a = \"\"\"\"x\"\"\"\"", "{a: '\"x\"'}"),
        Case("a = \"\"\"\"\"x\"\"\"\"\"", "{a: '\"\"x\"\"'}"),
        Case("a = \"\"\"\\\\\"\"\"", "{a: '\\'}"),
        Case("a = \"\"\"\\u00e9\\n\"\"\"", "{a: 'é\n'}"),
        Case("a = '''\nI [dw]on't \\\n'''", "{a: 'I [dw]on't \\\n'}"),
        Case("a = ''''x'''''", "{a: ''x'''}"),
        Case("a = '''\"\"\"'''", "{a: '\"\"\"'}"),
        Case("a = '''#\n[b]\n'''\nc = 1", "{a: '#\n[b]\n', c: 1}"),
    ]

    static let numbers: [Case] = [
        Case("a = +99\nb = 42\nc = 0\nd = -17", "{a: 99, b: 42, c: 0, d: -17}"),
        Case("a = +0\nb = -0", "{a: 0, b: 0}"),
        Case("a = 1_000\nb = 5_349_221\nc = 1_2_3_4_5", "{a: 1000, b: 5349221, c: 12345}"),
        Case("a = 0xDEADBEEF\nb = 0xdead_beef\nc = 0x00", "{a: 3735928559, b: 3735928559, c: 0}"),
        Case("a = 0o01234567\nb = 0o755\nc = 0b1101_0110", "{a: 342391, b: 493, c: 214}"),
        Case(
            "a = 9223372036854775807\nb = -9223372036854775808\nc = 0x7fffffffffffffff",
            "{a: 9223372036854775807, b: -9223372036854775808, c: 9223372036854775807}"),
        Case("a = +1.0\nb = 3.1415\nc = -0.01", "{a: 1.0, b: 3.1415, c: -0.01}"),
        Case("a = 5e+22\nb = 1e06\nc = -2E-2", "{a: 5e+22, b: 1000000.0, c: -0.02}"),
        Case(
            "a = 6.626e-34\nb = 224_617.445_991_228\nc = 1e1_0", "{a: 6.626e-34, b: 224617.445991228, c: 10000000000.0}"
        ),
        Case("a = -0.0\nb = 0e0\nc = 0.00", "{a: -0.0, b: 0.0, c: 0.0}"),
        Case(
            "a = inf\nb = +inf\nc = -inf\nd = nan\ne = +nan\nf = -nan",
            "{a: inf, b: inf, c: -inf, d: nan, e: nan, f: nan}"),
        Case("a = 1e-400", "{a: 0.0}"),
        Case("a = true\nb = false", "{a: true, b: false}"),
    ]

    static let times: [Case] = [
        Case("a = 1979-05-27T07:32:00Z", "{a: 1979/5/27 7:32:0 UTC 0}"),
        Case("a = 1979-05-27T00:32:00-07:00", "{a: 1979/5/27 0:32:0 UTC -420}"),
        Case("a = 1979-05-27T00:32:00.999999+05:30", "{a: 1979/5/27 0:32:0+999999000ns UTC 330}"),
        Case("a = 1979-05-27 07:32:00Z", "{a: 1979/5/27 7:32:0 UTC 0}"),
        Case("a = 1979-05-27t07:32:00z", "{a: 1979/5/27 7:32:0 UTC 0}"),
        Case("a = 1979-05-27T07:32:00", "{a: 1979/5/27 7:32:0}"),
        Case("a = 1979-05-27 07:32:00.5 # local", "{a: 1979/5/27 7:32:0+500000000ns}"),
        Case("a = 1979-05-27", "{a: 1979/5/27}"),
        Case("a = 1979-05-27 # day", "{a: 1979/5/27}"),
        Case("a = [1979-05-27 , 07:32:00 ]", "{a: [1979/5/27, 7:32:0]}"),
        Case("a = 23:59:60.1234567899", "{a: 23:59:60+123456789ns}"),
        Case("a = 2024-02-29\nb = 2000-02-29", "{a: 2024/2/29, b: 2000/2/29}"),
        Case("a = 0000-01-01\nb = 9999-12-31T23:59:59-23:59", "{a: 0/1/1, b: 9999/12/31 23:59:59 UTC -1439}"),
    ]

    static let arrays: [Case] = [
        Case("a = []", "{a: []}"),
        Case("a = [ 1, 2, 3 ]", "{a: [1, 2, 3]}"),
        Case("a = [1, 2,]", "{a: [1, 2]}"),
        Case("a = [[1, 2], [\"a\", 'b', \"\"\"c\"\"\"]]", "{a: [[1, 2], ['a', 'b', 'c']]}"),
        Case("a = [0.1, 1, \"x\", true, {b = 1}]", "{a: [0.1, 1, 'x', true, {b: 1}]}"),
        Case("a = [ # c\n\n 1, # d\n\t2 # e\n , 3\r\n]", "{a: [1, 2, 3]}"),
        Case("a = [\n]", "{a: []}"),
        Case("a = [[[[]]]]", "{a: [[[[]]]]}"),
        Case("a = [\"]\", '[', \"#\"]", "{a: [']', '[', '#']}"),
        Case("a = [1]\nb = 2", "{a: [1], b: 2}"),
    ]

    static let tables: [Case] = [
        Case("[table]", "{table: {}}"),
        Case("[a]\nx = 1\n[b]\ny = 2", "{a: {x: 1}, b: {y: 2}}"),
        Case("[dog.\"tater.man\"]\ntype.name = \"pug\"", "{dog: {tater.man: {type: {name: 'pug'}}}}"),
        Case(
            "[ d.e.f ]\n[ g .  h  . i ]\n[ j . \"ʞ\" . 'l' ] # c", "{d: {e: {f: {}}}, g: {h: {i: {}}}, j: {ʞ: {l: {}}}}"
        ),
        Case("[x.y.z.w]\n[x]\na = 1", "{x: {a: 1, y: {z: {w: {}}}}}"),
        Case("[fruit.apple]\n[animal]\n[fruit.orange]", "{animal: {}, fruit: {apple: {}, orange: {}}}"),
        Case("a = 1\n[b]\na = 2", "{a: 1, b: {a: 2}}"),
        Case(
            "[fruit]\napple.color = \"red\"\napple.taste.sweet = true\n[fruit.apple.texture]\nsmooth = true",
            "{fruit: {apple: {color: 'red', taste: {sweet: true}, texture: {smooth: true}}}}"),
        Case("[a.b.c]\nz = 9\n[a]\nx = 1", "{a: {b: {c: {z: 9}}, x: 1}}"),
        Case("[a.b.c]\nz = 9\n[a]\nb.d = 1", "{a: {b: {c: {z: 9}, d: 1}}}"),
        Case("[\"\"]\n['a b']", "{: {}, a b: {}}"),
        Case("[a]\n[a.b]\n[c]\n[a.d]", "{a: {b: {}, d: {}}, c: {}}"),
        Case("a = {}", "{a: {}}"),
        Case("a = { x = 1, y = \"b\" }", "{a: {x: 1, y: 'b'}}"),
        Case("a = {b.c = 1, b.d = 2, 'e f' = {}}", "{a: {b: {c: 1, d: 2}, e f: {}}}"),
        Case("a = {b = [\n1, # c\n2\n], c = \"\"\"x\ny\"\"\"}", "{a: {b: [1, 2], c: 'x\ny'}}"),
        Case("a.b = {c = 1}\na.d = 2", "{a: {b: {c: 1}, d: 2}}"),
    ]

    static let tableArrays: [Case] = [
        Case("[[a]]\nx = 1\n\n[[a]]\n\n[[a]]\nx = 3", "{a: [{x: 1}, {}, {x: 3}]}"),
        Case(
            "[[f]]\nn = 1\n[f.p]\nc = 1\n[[f.v]]\nm = 1\n[[f.v]]\nm = 2\n[[f]]\nn = 2\n[[f.v]]\nm = 3",
            "{f: [{n: 1, p: {c: 1}, v: [{m: 1}, {m: 2}]}, {n: 2, v: [{m: 3}]}]}"),
        Case("[[a.b.c]]\nx = 1\n[a]\ny = 2", "{a: {b: {c: [{x: 1}]}, y: 2}}"),
        Case("[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\nx = 2", "{a: [{b: {x: 1}}, {b: {x: 2}}]}"),
        Case("[[ a . 'b' ]] # c\nx.y = 1", "{a: {b: [{x: {y: 1}}]}}"),
        Case("[[a]]\n[[a.b]]\n[[a.b]]\n[a.b.c]\nx = 1", "{a: [{b: [{}, {c: {x: 1}}]}]}"),
        Case("points = [{x = 1, y = 2}, {x = 3}]", "{points: [{x: 1, y: 2}, {x: 3}]}"),
    ]

    static let all = documents + keys + strings + numbers + times + arrays + tables + tableArrays
}
