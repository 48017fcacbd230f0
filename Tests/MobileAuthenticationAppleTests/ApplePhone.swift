import Foundation
import HardwareKeys
import LocalAuthentication
import MobileAuthenticationTestKit
import Security
import UAF

@testable import MobileAuthentication

/// An application on an Apple device of its own: the whole client as an application gets it, on the stub frameworks, with a
/// scripted server.
struct ApplePhone {
    let client: any MobileAuthenticationClient
    let backend: ScriptedBackend

    /// The authenticators that the system verifies, with their models.
    static let systemKinds: [(kind: AuthenticatorAaid, aaid: String)] = [
        (.Fingerprint, "F1D0#1002"), (.FaceRecognition, "F1D0#1003"), (.DevicePasscode, "F1D0#1004"),
    ]

    /// Starts the application; `change` is what it says to the initializer.
    init(
        in folder: URL, at backend: ScriptedBackend = ScriptedBackend(),
        _ change: (inout ClientGraph) -> Void = { _ in }
    ) async throws {
        self.backend = backend
        var graph = ClientGraph()
        graph.directory = folder
        change(&graph)
        let configuration = Configuration(baseUrl: try Fixtures.unwrap(URL(string: ScriptedBackend.address)))
        var ports = try await graph.ports(for: configuration)
        ports.transport = backend
        backend.script { $0.facets = [ports.facetID.text] }
        client = try await MobileAuthenticationClientInitializer.client(for: configuration, on: ports)
    }

    /// Registers an authenticator of jeff.
    func register(_ aaid: String, secrets: [String] = []) async throws {
        backend.script { $0.aaids = [aaid] }
        let person = await TestUser(pins: secrets, aaid: aaid)
        try await client.operations.registration.username("jeff").deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(person).pinEnroller(person).passwordEnroller(person).biometricUserVerifier(person)
            .devicePasscodeUserVerifier(person).perform()
    }

    /// Signs jeff in.
    func authenticate(_ aaid: String, secrets: [String] = []) async throws {
        let person = await TestUser(pins: secrets, aaid: aaid)
        _ = try await client.operations.authentication.username("jeff").authenticatorSelector(person)
            .pinUserVerifier(person).passwordUserVerifier(person).biometricUserVerifier(person)
            .devicePasscodeUserVerifier(person).perform()
    }

    /// One of the five authenticators.
    func authenticator(_ kind: AuthenticatorAaid) throws -> any Authenticator {
        try Fixtures.unwrap(client.localData.authenticators.first { AuthenticatorAaid(rawValue: $0.aaid) == kind })
    }

    /// Whether the system has something enrolled for a kind.
    func isEnrolled(_ kind: AuthenticatorAaid) throws -> Bool? {
        (try authenticator(kind).userEnrollment as? OsUserEnrollment)?.isEnrolled()
    }
}

/// Runs a test on an Apple device of its own, with a folder that goes with the test.
func onAppleDevice(_ body: (StubDevice, URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "apple-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let device = StubDevice()
    try await StubDevice.$current.withValue(device) { try await body(device, folder) }
}
