import SystemIO
import Testing

@testable import CommandSupport
@testable import OperatorText

@Suite struct SecretFilePermissionsTests {
    private static let service: UInt32 = 990

    private func found(_ access: FileAccess, user: UInt32 = Self.service) -> String? {
        SecretFilePermissions.objection(to: access, path: "/d/k", user: user)?.found
    }

    @Test(arguments: [0o600, 0o400, 0o640, 0o440, 0o440 | 0o100, 0o611] as [UInt32])
    func `A secret may be read by its owner and by a group`(mode: UInt32) {
        #expect(found(FileAccess(mode: mode, owner: 0)) == nil)
    }

    @Test(
        arguments: [
            (0o644, "/d/k can be read by everyone (mode 0644)"), (0o604, "/d/k can be read by everyone (mode 0604)"),
            (0o666, "/d/k can be changed by everyone (mode 0666)"),
            (0o602, "/d/k can be changed by everyone (mode 0602)"),
            (0o660, "/d/k can be changed by its group (mode 0660)"),
            (0o006, "/d/k can be changed by everyone (mode 0006)"),
        ] as [(UInt32, String)])
    func `One that more people can read or change is refused, with its mode`(mode: UInt32, expected: String) {
        #expect(found(FileAccess(mode: mode, owner: 0)) == expected)
    }

    @Test func `One that belongs to neither root nor the user who reads it is refused`() throws {
        #expect(found(FileAccess(mode: 0o600, owner: Self.service)) == nil)
        let access = FileAccess(mode: 0o600, owner: 1000)
        #expect(found(access) == "/d/k belongs to user 1000, who can change it")
        #expect(found(access, user: 0) == found(access))
        let objection = SecretFilePermissions.objection(to: access, path: "/d/k", user: Self.service)
        #expect(objection?.allowed.contains("root, or to user 990, who reads it: chown root FILE") == true)
    }

    @Test(
        arguments: [
            (0o777, "/d/k can be replaced by everyone, because /d has mode 0777"),
            (0o770, "/d/k can be replaced by the directory's group, because /d has mode 0770"),
        ] as [(UInt32, String)])
    func `One in a directory to which others may write is refused, unless the directory is sticky`(
        mode: UInt32, expected: String
    ) {
        func access(_ mode: UInt32, isSticky: Bool = false) -> FileAccess {
            // The link's, and the file's own.
            FileAccess(
                mode: 0o600, owner: 0,
                directories: [
                    .init(path: "/etc", mode: 0o755), .init(path: "/d", mode: mode, isSticky: isSticky),
                ])
        }
        #expect(found(access(mode)) == expected)
        #expect(
            found(access(mode, isSticky: true)) == nil && found(access(0o755)) == nil && found(access(0o700)) == nil)
        let objection = SecretFilePermissions.objection(to: access(mode), path: "/d/k", user: 0)
        #expect(objection?.allowed.contains("chmod go-w DIRECTORY") == true)
    }
}
