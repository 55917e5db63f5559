import Testing

@testable import IngestBenchmark

@Suite struct DecodersTests {
    @Test func `Swift and C read the same in the mix`() {
        #expect(Decoders(Corpus(count: 4096)).agree)
    }

    @Test func `Swift and C read the same in damaged packets`() {
        #expect(Decoders(Corpus(count: 20_000).damaged).agree)
    }
}
