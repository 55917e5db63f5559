import Matching
import RecordContract
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("A notice in JSON") struct NoticeDocumentTests {
    private let content = NoticeContent(
        level: .medium, label: "some \"risk\"", days: 2, latest: 1_793_577_600, policy: "further", policyVersion: "1")

    // Subjects and webhooks compare bytes.
    @Test func `It is one line with its members in order`() {
        #expect(
            NoticeDocument(content).text
                == #"{"exposures":2,"label":"some \"risk\"","latest":"2026-11-02T00:00:00Z","level":"medium","#
                + #""missing":[],"policy":{"name":"further","version":"1"}}"#)
    }

    @Test func `Without a latest day it has no such member, and a doubtful clock is a reason`() {
        var content = content
        (content.latest, content.clockIsDoubtful) = (nil, true)
        #expect(
            NoticeDocument(content).text
                == #"{"exposures":2,"label":"some \"risk\"","level":"medium","#
                + #""missing":["a gateway's clock was not synchronized: the times may be wrong"],"#
                + #""policy":{"name":"further","version":"1"}}"#)
    }

    @Test func `A webhook is told the same, and whom it is about`() throws {
        let ann = try #require(SubjectIdentity("phone:ann"))
        let body = JSON.encode(Webhook.Delivery(notice: NoticeDocument(content), subject: .init(ann)))
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"notice":\#(NoticeDocument(content).text),"subject":{"id":"ann","kind":"phone"}}"#)
    }
}
