import HTTPServing
import Testing

@Suite("Who can use a Unix socket") struct SocketAccessTests {
    private let access = SocketAccess(owner: 990, group: 991)

    private func peer(user: UInt32, groups: Set<UInt32>) -> PeerCredentials {
        PeerCredentials(process: 1, user: user, groups: groups)
    }

    @Test func `Root and the user who made it can`() {
        #expect(access.admits(peer(user: 0, groups: [0])))
        #expect(access.admits(peer(user: 990, groups: [990])))
    }

    @Test func `Members of its group can, whatever their first group is`() {
        #expect(access.admits(peer(user: 1000, groups: [991])))
        #expect(access.admits(peer(user: 1000, groups: [1000, 20, 991])))
    }

    @Test func `Nobody else can, and nobody whom the kernel does not name`() {
        #expect(!access.admits(peer(user: 1000, groups: [1000, 990])))
        #expect(!access.admits(peer(user: 991, groups: [])))
        #expect(!access.admits(nil))
    }
}
