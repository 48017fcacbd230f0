import DeviceAttestation
import Foundation
import StrictJSON
import TestSupport
import Testing
import WebAuthn

@Suite("Vectors of Web Authentication Level 3", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct SpecificationVectorTests {
    /// Every so many octets one is changed; `SIGNET_SLOW_TESTS` changes each.
    private static let stride = SlowTests.areWanted ? 1 : 7

    @Test(
        "Each vector is accepted, or refused for an algorithm that is not offered", arguments: try PasskeyVector.all())
    func accepted(vector: PasskeyVector) async throws {
        guard vector.isOffered else {
            await #expect(throws: PasskeyError.self) { try await vector.registered() }
            await vector.ceremonies.expectRefusal(.algorithm, step: 20, of: vector.registration.text)
            return
        }
        let passkey = try await vector.registered()
        #expect(passkey.record.descriptor.id == vector.registration.id)
        #expect(passkey.attestation == vector.attestation)
        let use = try vector.ceremonies.authentication(vector.assertion.text, passkey.record)
        #expect(use.record.state.signCounter == 0)
    }

    @Test("The vector of Android states nothing of hardware: it is refused where hardware is demanded")
    func androidHardware() async throws {
        let vector = try #require(try PasskeyVector.all().first { $0.name == "android-key-es256" })
        var ceremonies = vector.ceremonies
        ceremonies.settings.attestation.requiresAndroidHardware = true
        await ceremonies.expectRefusal(.statement(.android(.securityLevel)), step: 22, of: vector.registration.text)
    }

    @Test(
        "A new key with one octet changed is refused, where something signs the octet",
        arguments: try PasskeyVector.all())
    func changedRegistration(vector: PasskeyVector) async throws {
        for field in PasskeyVector.RegistrationField.allCases {
            for position in vector.positions(of: field, stride: Self.stride) {
                let changed = vector.changed(field, at: position)
                let found = await #expect(throws: PasskeyError.self, "\(field) \(position)") {
                    try await vector.ceremonies.registration(changed.text)
                }
                guard vector.isOffered else { continue }
                #expect(
                    found.map { field.steps.contains($0.step) } == true,
                    "\(field) \(position): \(String(describing: found))")
            }
        }
    }

    @Test("A signature with one octet changed is refused", arguments: try PasskeyVector.all().filter(\.isOffered))
    func changedAssertion(vector: PasskeyVector) async throws {
        let record = try await vector.registered().record
        for field in PasskeyVector.AssertionField.allCases {
            for position in vector.positions(of: field, stride: Self.stride) {
                let changed = vector.changed(field, at: position)
                let found = #expect(throws: PasskeyError.self, "\(field) \(position)") {
                    try vector.ceremonies.authentication(changed.text, record)
                }
                #expect(
                    found.map { field.steps.contains($0.step) } == true,
                    "\(field) \(position): \(String(describing: found))")
            }
        }
    }
}
