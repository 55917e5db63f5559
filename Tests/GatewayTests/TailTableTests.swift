import RecordContract
import TestValues
import Testing

@testable import Gateway
@testable import OperatorText

/// What is made of messages, without a broker and without a terminal.
@Suite struct TailTableTests {
    private static let beaconTopic =
        "beacons/v1/lab/virtual/0/golden/beacon/b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401/1/6/"

    private func golden() throws -> [[UInt8]] {
        try Repository.read("Tests/GatewayTests/Golden/pair.jsonl")
            .split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    private func line(_ output: TailTable.Output?) -> String? {
        guard case .line(let line) = output else { return nil }
        return line
    }

    private func plain() -> TailTable { TailTable(form: .table(isColoured: false), showsPresence: true) }

    private func take(_ payload: String, topic: String = beaconTopic + "interaction") -> String? {
        var table = plain()
        return line(table.take(MQTTMessage(topic: topic, payload: Array(payload.utf8))))
    }

    @Test("A record is a line: when, what, who, where, how near with its interval, minutes, why it ended")
    func record() throws {
        let records = try golden()
        let end = try #require(records.last.flatMap { take(String(decoding: $0, as: UTF8.self)) })
        #expect(
            end.split(separator: "  ", omittingEmptySubsequences: true).map { $0.drop { $0 == " " } } == [
                "09:01:39.252", "ended", "b1e5../1/6", "gateway", "golden", "1.4 m", "0.6 - 3.4 m", "near",
                "1.4 / 1.6", "(shutdown)",
            ], "\(end)")
        let alert = try #require(
            records.lazy.map { String(decoding: $0, as: UTF8.self) }.first { $0.contains("social-distance.started") })
        let near = try #require(take(alert, topic: Self.beaconTopic + "social-distance"))
        #expect(near.contains("near started   b1e5../1/6                b1e5../1/7  "), "\(near)")
    }

    @Test(
        "A record takes no more than the width of the terminal, and all of it is there", arguments: [40, 80, 120, 160])
    func width(width: Int) throws {
        let record = String(decoding: try #require(try golden().last), as: UTF8.self)
        var table = TailTable(form: .table(isColoured: false, width: width), showsPresence: true)
        let output = table.take(MQTTMessage(topic: Self.beaconTopic + "interaction", payload: Array(record.utf8)))
        let lines = try #require(line(output)).split(separator: "\n")
        #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(lines)")
        #expect((lines.count == 1) == (width == 160), "\(lines)")
        #expect(try #require(table.titles).split(separator: "\n").allSatisfy { $0.displayWidth <= width })
        for cell in ["09:01:39.252", "ended", "b1e5../1/6", "golden", "1.4 m", "0.6 - 3.4 m", "near", "(shutdown)"] {
            #expect(lines.contains { $0.contains(cell) }, "\(cell) is not in \(lines)")
        }
    }

    private func readings(_ number: Int) throws -> String {
        let lines = try Repository.read("Tests/Contract/examples/readings.jsonl")
            .split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        try #require(lines.indices.contains(number))
        return lines[number]
    }

    @Test("Readings are a line: how long which receiver listened, and how many it heard")
    func readings() throws {
        func shown(_ number: Int) throws -> String {
            try #require(take(try readings(number), topic: "b/v1/mcgill/trottier/3/gw-3a/readings"))
        }
        let several = try shown(0)
        #expect(several.hasPrefix("12:01:00.021  readings "), "\(several)")
        #expect(
            several.hasSuffix("listened 59.8 s, received 3 beacons, 2 phones, 10075 advertisements"), "\(several)")
        #expect(try shown(1).hasSuffix("listened 0.0 s, did not listen"))
        let remote = try shown(2)
        #expect(remote.contains("gw-3a by kitchen/3061"), "\(remote)")
        #expect(remote.hasSuffix("listened 60.0 s, received 1 beacon, 7 advertisements"), "\(remote)")
    }

    @Test("Readings in which nobody was heard say so")
    func readingsOfNobody() throws {
        let shown = take(
            try readings(1).replacing(#""listenedSeconds":0,"place""#, with: #""listenedSeconds":59.8,"place""#))
        #expect(shown?.hasSuffix("listened 59.8 s, received nothing") == true, "\(shown ?? "")")
    }

    @Test("Signals are a line as readings are; for a program they have their topic; they are counted apart")
    func signals() throws {
        let topic = "b/v1/mcgill/trottier/3/gw-3a/signals"
        let messages = try Repository.read("Tests/Contract/examples/signals.jsonl")
            .split(separator: UInt8(ascii: "\n")).map { MQTTMessage(topic: topic, payload: Array($0)) }
        var table = plain()
        let shown = messages.map { line(table.take($0)) ?? "" }
        try #require(shown.count == 3)
        #expect(shown[0].hasPrefix("12:00:00.000  signals "), "\(shown)")
        #expect(shown[0].hasSuffix("listened 1.0 s, received 3 beacons, 2 phones, 10021 advertisements"), "\(shown)")
        #expect(shown[1].hasSuffix("listened 0.0 s, did not listen"), "\(shown)")
        #expect(shown[2].contains("gw-3a by kitchen/3061"), "\(shown)")
        #expect(table.summary == "0 records, 3 messages of signals")
        let damaged = line(table.take(MQTTMessage(topic: topic, payload: Array("{}".utf8))))
        #expect(damaged?.contains("2 bytes of JSON without ") == true, "\(damaged ?? "")")
        var json = TailTable(form: .json, showsPresence: false)
        let text = String(decoding: messages[1].payload, as: UTF8.self)
        let output = json.take(messages[1])
        #expect(output == .line(#"{"signals":\#(text),"topic":"\#(topic)"}"#))
    }

    @Test("A fixed beacon has its module's name, and a module's failure says what to do")
    func modules() {
        var table = plain()
        let state = #"{"desired":{"uuid":"b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401","major":1,"minor":6}}"#
        #expect(table.take(MQTTMessage(topic: "b/v1/s/b/1/g/module/door/state", payload: Array(state.utf8))) == nil)
        let event = #"""
            {"time":"2026-11-02T09:00:00.786Z","type":"module.failed","data":{"module":"door","sequence":9,
            "beacon":{"uuid":"b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401","major":1,"minor":6},"place":{"gateway":"g"},
            "error":"it answers nothing","remedy":"replug it","state":"failed"}}
            """#
        let shown = line(table.take(MQTTMessage(topic: "b/v1/s/b/1/g/module/door/event", payload: Array(event.utf8))))
        #expect(shown?.contains("module failed  door b1e5../1/6") == true, "\(shown ?? "")")
        #expect(shown?.hasSuffix("it answers nothing; what to do: replug it") == true, "\(shown ?? "")")
    }

    @Test("A record that waited out an outage is marked, with its day")
    func historical() throws {
        let text = String(decoding: try #require(try golden().first), as: UTF8.self)
        let shown = take(text.replacing(#""historical":false"#, with: #""historical":true"#))
        #expect(shown?.hasSuffix(" historical, of 2026-11-02") == true, "\(shown ?? "")")
    }

    @Test(
        "What is no record is one clear line",
        arguments: [
            ("{", "1 bytes that are not JSON"), ("", "0 bytes that are not JSON"),
            ("[1]", "3 bytes of JSON with an invalid"),
            ("{\"time\":1}", "10 bytes of JSON with an invalid time"), ("{}", "2 bytes of JSON without time"),
            ("{}\0", "3 bytes that are not UTF-8 text"), ("\u{FEFF}{}", "5 bytes that are not UTF-8 text"),
            (String(repeating: "[", count: 65_536), "65536 bytes that are no"),
            (String(repeating: " ", count: 65_537), "65537 bytes, more than the 65536 of the longest record"),
        ])
    func damaged(payload: String, expected: String) {
        let shown = take(payload)
        #expect(shown?.hasPrefix("no record on \(Self.beaconTopic)interaction: \(expected)") == true, "\(shown ?? "")")
    }

    @Test("Nothing that a terminal obeys gets through, in whichever field, and lines stay lines")
    func hostile() throws {
        var generator = SeededGenerator("hostile records")
        let hostile = [
            "\u{1B}[2J", "\u{9B}31m", "\n", "\r", "\u{7F}", "\u{202E}", "\u{0}", "\u{2028}", "\u{7}", "\u{1B}]0;x\u{7}",
        ]
        for record in try golden() {
            for _ in 0..<10 {
                // Into one of the strings, as JSON writes it.
                let escape = hostile.randomElement(using: &generator).map {
                    $0.utf16.map {
                        "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16)
                    }
                    .joined()
                }
                var text = String(decoding: record, as: UTF8.self)
                let places = text.indices.filter { text[$0] == "\"" && text[text.index(after: $0)].isLetter }
                let place = try #require(places.randomElement(using: &generator))
                text.insert(contentsOf: escape ?? "", at: text.index(after: place))
                for var table in [plain(), TailTable(form: .json, showsPresence: true)] {
                    let message = MQTTMessage(topic: Self.beaconTopic + "interaction", payload: Array(text.utf8))
                    let shown =
                        switch table.take(message) {
                        case .line(let line): line
                        case .note(let note): note
                        case nil: "\n"
                        }
                    let obeyed = shown.unicodeScalars.filter {
                        $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || [0x202E, 0x2028].contains($0.value)
                    }
                    #expect(obeyed.isEmpty, generator.comment)
                }
            }
        }
    }

    @Test("Random bytes are never more than one line, and never a trap")
    func randomBytes() {
        var generator = SeededGenerator("random messages")
        for _ in 0..<2000 {
            let payload = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let topics = [
                "", "/", "interaction", "a/interaction", "module/x/event", "x/module//state", "presence",
                "a/b/c/d/e/f/presence",
            ]
            var table = plain()
            let topic = topics.randomElement(using: &generator) ?? ""
            _ = table.take(MQTTMessage(topic: topic, payload: payload, isRetained: .random(using: &generator)))
            #expect(table.records == 0, generator.comment)
        }
    }

    @Test("As JSON a record is the same JSON in one line of ASCII")
    func json() throws {
        var table = TailTable(form: .json, showsPresence: false)
        let record = try #require(try golden().first)
        let pretty = String(decoding: record, as: UTF8.self).replacing(",", with: ",\r\n\t")
            .replacing(#""site":"lab""#, with: #""site":"lab","room":"Café 🛗 \u0041""#)
        let shown = line(table.take(MQTTMessage(topic: Self.beaconTopic + "interaction", payload: Array(pretty.utf8))))
        let text = try #require(shown)
        #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(text.contains(#"Caf\u00e9 \ud83d\uded7 \u0041"#))
        let read = try JSON.decode(ReceivedRecord.self, from: Array(text.utf8))
        #expect(read.data.place.room == "Café 🛗 A")
        #expect(table.titles == nil)
    }

    @Test("Retained presences are shown when they are asked for, others never")
    func presence() {
        let payload = Array(
            #"{"present":true,"boot":1,"since":"2026-11-02T08:00:00.000Z","lastSeenAt":"2026-11-02T09:00:00.000Z","proximity":"near"}"#
                .utf8)
        var message = MQTTMessage(topic: Self.beaconTopic + "presence", payload: payload, isRetained: true)
        var table = plain()
        let shown = line(table.take(message))
        #expect(shown?.hasPrefix("09:00:00.000  present        b1e5../1/6 ") == true, "\(shown ?? "")")
        #expect(shown?.contains(" golden ") == true, "\(shown ?? "")")
        var without = TailTable(form: .table(isColoured: false), showsPresence: false)
        #expect(without.take(message) == nil)
        message.isRetained = false
        #expect(table.take(message) == nil)
        message.isRetained = true
        message.payload = Array("{".utf8)
        #expect(table.take(message) == nil)
    }

    @Test("The summary counts records, and what were none")
    func summary() {
        var table = plain()
        #expect(table.summary == "0 records")
        for payload in ["{", #"{"time":"","type":"","data":{"place":{"gateway":""},"sequence":1}}"#, "["] {
            _ = table.take(MQTTMessage(topic: "a/interaction", payload: Array(payload.utf8)))
        }
        #expect(table.summary == "1 record, 2 messages that are not records")
    }

    @Test(
        "A filter that no broker takes is refused, with what is wrong",
        arguments: [
            ("", "empty"), ("a/#/b", "before its end"), ("a/b#", "whole level"), ("a+/b", "whole level"),
            ("a\0", "NUL"), (String(repeating: "a", count: 65_536), "longer"),
        ])
    func filters(filter: String, expected: String) {
        #expect(TopicFilter.problem(in: filter)?.contains(expected) == true)
    }

    @Test("Filters that brokers take are taken", arguments: ["#", "+", "a/+/b/#", "/", "beacons/v1/#"])
    func goodFilters(filter: String) { #expect(TopicFilter.problem(in: filter) == nil) }
}
