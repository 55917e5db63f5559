import Pages
import Testing

@testable import MatcherDaemon

@Suite("Webhook as officers read of it") struct WebhookSentenceTests {
    @Test(
        "The host is shown, and not the path, which may be a secret",
        arguments: ["https://hooks.example/in/s3cret?key=s3cret", "https://hooks.example"])
    func host(address: String) {
        let sentence = NoticesPart.sentence(webhook: address)
        #expect(sentence.contains("webhook at hooks.example by itself"))
        #expect(!sentence.contains("s3cret"))
    }
}
