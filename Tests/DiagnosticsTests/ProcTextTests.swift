import OperatorText
import Testing

@testable import Diagnostics

@Suite("ProcText") struct ProcTextTests {
    @Test("The inodes of HCI sockets are the sixth column, below the title")
    func sockets() {
        let table = """
            sk               RefCnt Rmem   Wmem   User   Inode  Parent
            0000000000000000 2      0      0      0      18423  0
            0000000000000000 2      0      0      1000   99     0
            cut off
            """
        #expect(ProcText.socketInodes(table) == [18423, 99])
        #expect(ProcText.socketInodes("").isEmpty)
    }

    @Test("A link to a socket has its inode in brackets")
    func link() {
        #expect(ProcText.socketInode("socket:[4711]") == 4711)
        #expect(ProcText.socketInode("socket:[x]") == nil)
        #expect(ProcText.socketInode("/dev/null") == nil)
    }

    @Test("Who holds a lock is found by the inode, among locks of this kind only")
    func locks() {
        let locks = """
            1: POSIX  ADVISORY  WRITE 100 fe:00:55 0 EOF
            2: FLOCK  ADVISORY  WRITE 200 fe:00:55 0 EOF
            3: FLOCK  ADVISORY  WRITE 300 fe:00:66 0 EOF
            4: -> FLOCK
            """
        #expect(ProcText.lockHolder(locks, inode: 55) == 200)
        #expect(ProcText.lockHolder(locks, inode: 66) == 300)
        #expect(ProcText.lockHolder(locks, inode: 77) == nil)
    }

    @Test("A Raspberry Pi's configuration switches Bluetooth off unless the line is a comment")
    func raspberryPi() {
        #expect(ProcText.disablesBluetooth("[all]\r\ndtoverlay=disable-bt\r\n"))
        #expect(!ProcText.disablesBluetooth("#dtoverlay=disable-bt\ndtoverlay=vc4-kms-v3d\n"))
    }

    @Test(
        "A word that a shell would take apart is quoted",
        arguments: [
            ("/a/b-c.toml", "/a/b-c.toml"), ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("$x", "'$x'"),
        ])
    func quoted(text: String, word: String) {
        #expect(ShellWord.quote(text) == word)
    }
}
