import Testing

@testable import CommandSupport

@Suite struct SecretFilePermissionsTests {
    @Test(arguments: [0o600, 0o400, 0o640, 0o440, 0o440 | 0o100, 0o611] as [UInt32])
    func `A secret may be read by its owner and by a group`(mode: UInt32) {
        #expect(SecretFilePermissions.objection(to: mode, path: "/k") == nil)
    }

    @Test(
        arguments: [
            (0o644, "/k may be read by everybody (mode 0644)"), (0o604, "/k may be read by everybody (mode 0604)"),
            (0o666, "/k may be changed by everybody (mode 0666)"),
            (0o602, "/k may be changed by everybody (mode 0602)"),
            (0o660, "/k may be changed by its group (mode 0660)"),
            (0o006, "/k may be changed by everybody (mode 0006)"),
        ] as [(UInt32, String)])
    func `One that more people can read or change is refused, with its mode`(mode: UInt32, expected: String) {
        #expect(SecretFilePermissions.objection(to: mode, path: "/k") == expected)
    }
}
