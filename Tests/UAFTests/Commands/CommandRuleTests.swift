import Octets
import Testing
import UAF

@Suite("Authenticator Commands 1.1, 6: rules of commands")
struct CommandRuleTests {
    private func register() throws -> RegisterCommand {
        RegisterCommand(
            index: 1, appID: AppID("https://example.com"), finalChallengeHash: [UInt8](repeating: 1, count: 32),
            username: try UserName("alice").unwrapped(), attestationType: .basicSurrogate,
            accessToken: [UInt8](repeating: 2, count: 32))
    }

    private func sign(_ transaction: SignCommand.Transaction?) -> SignCommand {
        SignCommand(
            index: 0, appID: nil, finalChallengeHash: [UInt8](repeating: 1, count: 32), transaction: transaction,
            accessToken: [1], keyHandles: [[1], [2]])
    }

    @Test("Every command is written and read back to an equal value, and refused when cut off")
    func roundTrip() throws {
        var full = try register()
        full.userVerifyToken = [7]
        full.extensions = [
            AssertionExtension(id: try ExtensionID("x").unwrapped(), data: [1], failIfUnknown: false)
        ]
        let commands: [AuthenticatorCommand] = [
            .getInfo, .register(try register()), .register(full), .sign(sign(nil)), .sign(sign(.content([1, 2]))),
            .sign(sign(.contentHash([3]))), .openSettings(index: 9),
            .deregister(DeregisterCommand(index: 0, appID: nil, keyID: nil, accessToken: [])),
        ]
        for command in commands {
            let octets = try command.encoded()
            #expect(try AuthenticatorCommand(octets: octets) == command)
            TruncationVerifier.verify(octets) { octets throws(TLVError) in
                _ = try AuthenticatorCommand(octets: octets)
            }
        }
    }

    @Test("Answers are written and read back to an equal value")
    func responses() throws {
        let responses: [AuthenticatorResponse] = [
            .getInfo([]), .register(assertion: [1], keyHandle: nil), .sign(.assertion([1, 2])), .deregister,
            .openSettings,
            .sign(.choices([.init(username: "a", keyHandle: [1]), .init(username: "b", keyHandle: [2])])),
            .failure(.register, .userLockout), .failure(.sign, CommandStatus(rawValue: 0x99)),
        ]
        for response in responses { #expect(try AuthenticatorResponse(octets: response.encoded()) == response) }
    }

    @Test("Content and hash of a transaction exclude each other")
    func oneTransaction() throws {
        var octets = try AuthenticatorCommand.sign(sign(.content([1]))).encoded()
        octets += [0x10, 0x2E, 1, 0, 5]
        octets[2] += 5
        #expect(throws: TLVError.self) { try AuthenticatorCommand(octets: octets) }
    }

    @Test("A user name of more than 128 bytes and a token of more than 32 are refused")
    func lengths() throws {
        var command = try register()
        command.username = try UserName(String(repeating: "é", count: 65)).unwrapped()
        let long = try AuthenticatorCommand.register(command).encoded()
        #expect(throws: TLVError.self) { try AuthenticatorCommand(octets: long) }
        command = try register()
        command.accessToken.append(0)
        let wide = try AuthenticatorCommand.register(command).encoded()
        #expect(throws: TLVError.self) { try AuthenticatorCommand(octets: wide) }
    }

    @Test("A raw key handle is written and read back; other sizes are refused")
    func rawKeyHandle() throws {
        let keyID = try KeyID([UInt8](repeating: 9, count: 32)).unwrapped()
        let token = [UInt8](repeating: 1, count: 32)
        guard
            let handle = RawKeyHandle(
                accessToken: token, privateKey: SecretOctets(copying: [1, 2, 3]), username: Array("bob".utf8),
                keyID: keyID)
        else { throw MissingValue() }
        let encoded = handle.encoded()
        #expect(encoded.count == 32 + 3 + 1 + 3 + 32)
        guard let read = RawKeyHandle(encoded, privateKeyByteCount: 3) else { throw MissingValue() }
        #expect(read.accessToken == token && read.username == Array("bob".utf8) && read.keyID == keyID)
        let isShortAccepted = RawKeyHandle(encoded, privateKeyByteCount: 80) != nil
        #expect(!isShortAccepted)
        let isShortTokenAccepted =
            RawKeyHandle(accessToken: [1], privateKey: SecretOctets(copying: [1]), username: [], keyID: nil) != nil
        #expect(!isShortTokenAccepted)
    }

    @Test("A token mixed with the AppID differs from the token")
    func mixedToken() throws {
        let appID = try AppID("https://example.com").unwrapped()
        let token = KeyHandleAccessToken.roaming(appID: appID)
        #expect(KeyHandleAccessToken.mixed(token, with: appID) != token)
    }
}
