import BackendAPI
import BackendTransport
import Crypto
import Foundation
import MobileAuthenticationTestKit
import Octets
import Testing
import UAF

@testable import MobileAuthentication

@Suite("A-4: the channel binding that the SDK states")
struct StatedChannelBindingTests {
    /// A self-signed certificate of P-256, with a signature over SHA-384.
    private static let encodedCertificate =
        """
        MIIBfDCCASOgAwIBAgIUVHrwPRQR9NBP0qGaoBcmdRSYbU8wCgYIKoZIzj0EAwMwFDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyMzE0NDM\
        xMVoXDTM2MTEyMDE0NDMxMVowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC0CYr3SPuX00j9f3Nmsw+B\
        h62gv/ey3RGEu98h+ei57icfrrRXDNtBo6MzpM0QxLsbcKuxUXyX+yFNC+fkwtwKNTMFEwHQYDVR0OBBYEFHd8U6bi7kPKxuQbvgCrEms4vf2kM\
        B8GA1UdIwQYMBaAFHd8U6bi7kPKxuQbvgCrEms4vf2kMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwMDRwAwRAIgZm9G8jKCXiA05YsS1mvE\
        sWIHnjjDBKGVyoyvOj7vBPYCIFRlsG9irulkGI9L0g5duNXGo8Xb2L4bUeZkDIcEcL8d
        """
    /// The same as DER.
    static let certificate = Data(base64Encoded: encodedCertificate).map { Array($0) } ?? []
    private let certificate = Self.certificate

    /// Channel binding data in the last response that went to a path.
    private func stated(to path: String, by phone: TestPhone) throws -> ChannelBinding {
        let sent = try #require(phone.backend.requests(to: path).last)
        let message = try SendUAFResponse(body: sent.body).uafResponse
        switch try OperationResponse(message: Array(message.utf8)) {
        case .registration(let response): return response.finalChallenge.channelBinding
        case .authentication(let response): return response.finalChallenge.channelBinding
        }
    }

    private var expected: ChannelBinding {
        ChannelBinding(
            serverEndPoint: Base64URL.encode(Array(SHA384.hash(data: certificate))),
            tlsServerCertificate: Base64URL.encode(certificate))
    }

    @Test("Registration and authentication state the certificate of the connection that the request came over")
    func inBand() async throws {
        let phone = try await TestPhone()
        let certificate = certificate
        phone.backend.script {
            $0.certificates = [
                "/uaf/1.1/request/registration/": certificate, "/uaf/1.1/request/authentication/": certificate,
                // Where the list of facets and the response go says nothing about the request.
                "/uaf/1.1/facets": [1], "/uaf/1.1/registration/": [1],
            ]
        }
        try await phone.register()
        #expect(try stated(to: "/uaf/1.1/registration/", by: phone) == expected)
        _ = try await phone.authenticate()
        #expect(try stated(to: "/uaf/1.1/authentication/", by: phone) == expected)
    }

    @Test("An operation out of band states the certificate of the connection on which the token was redeemed")
    func outOfBand() async throws {
        let phone = try await TestPhone()
        let certificate = certificate
        phone.backend.script {
            $0.operations = ["r": .registration]
            $0.certificates = ["/token/redeem/registration": certificate]
        }
        let content = OutOfBandContent(
            token: "r", redeemURL: ScriptedBackend.address + "/token/redeem/registration", channelLinking: nil)
        let step = try await phone.client.operations.outOfBandOperation
            .payload(OutOfBandPayload(OutOfBandEnvelope(.plain(content)))).perform()
        guard case .registration(let registration) = step else { throw MissingFixture() }
        let person = await TestUser(pins: ["482915"])
        try await registration.deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(person).pinEnroller(person).perform()
        #expect(try stated(to: "/uaf/1.1/registration/", by: phone) == expected)
    }

    @Test("A transport that cannot tell leaves the channel binding empty")
    func unknown() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        #expect(try stated(to: "/uaf/1.1/registration/", by: phone).isEmpty)
    }

    @Test("A certificate whose signature algorithm has no hash of its own is stated whole, and not by a hash")
    func noHash() throws {
        let pin = try Fixtures.unwrap(PublicKeyPin([UInt8](repeating: 1, count: 32)))
        // ecdsa-with-SHA384 becomes an unknown identifier.
        let known: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
        var changed = certificate
        for start in changed.indices where changed[start...].starts(with: known) { changed[start + 7] = 0x7F }
        let binding = ChannelBinding(ConnectionFacts(version: .tls13, certificate: changed, publicKeyPin: pin))
        #expect(changed != certificate)
        #expect(binding.serverEndPoint == nil)
        #expect(binding.tlsServerCertificate == Base64URL.encode(changed))
    }
}
