import HardwareKeys
import TestSupport
import Testing

@testable import Authenticators

@Suite("SDK-8: what a PIN costs to check")
struct SecretProtectionTests {
    @Test("Applications get N = 2^15, r = 8, p = 1")
    func production() {
        let cost = SecretProtection.production.cost
        #expect(cost.rounds == 32_768 && cost.blockSize == 8 && cost.parallelism == 1)
    }

    @Test("A stored record under N = 2^14 is refused in production, and nothing is counted")
    func cheapRecord() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let ports = AuthenticatorPorts(store: device.store, vault: device.vault, clock: device.clock)
        let pin = try UserSecret.pin("482913")
        let parameters = AssertionSigning.Parameters(
            credential: credential.id, access: device.access, challenge: try device.challenge())
        await #expect(throws: AuthenticatorError.unacceptableCost(.tooCheap)) {
            try await AssertionSigning(ports).perform(parameters, secret: pin)
        }
        #expect(try await device.status(credential) == .unlocked)
        try SecretProtection.production.require(ScryptCost(rounds: 1 << 14, blockSize: 8, parallelism: 1))
    }

    @Test("D-L4: a stored cost that takes less memory or work than the least is refused, whichever number is small")
    func smallNumbers() throws {
        let rule = SecretProtection.production
        for cheap in [(1 << 14, 1, 1), (1 << 15, 1, 1), (1 << 15, 3, 8), (1 << 13, 16, 1)] {
            let cost = try ScryptCost(rounds: cheap.0, blockSize: cheap.1, parallelism: cheap.2)
            #expect(throws: ScryptCostError.tooCheap, "\(cheap)") { try rule.require(cost) }
        }
        for fair in [(1 << 14, 8, 1), (1 << 15, 4, 1), (1 << 17, 8, 1), (1 << 14, 8, 2)] {
            try rule.require(ScryptCost(rounds: fair.0, blockSize: fair.1, parallelism: fair.2))
        }
    }

    @Test("D-L4: a record is renewed when N, r or p make it cheaper than new ones, and only then")
    func outgrown() throws {
        let rule = SecretProtection(cost: try ScryptCost(rounds: 64, blockSize: 8, parallelism: 2), leastRounds: 2)
        for cheap in [(32, 8, 2), (64, 4, 2), (64, 8, 1), (32, 8, 4)] {
            #expect(
                rule.outgrows(try ScryptCost(rounds: cheap.0, blockSize: cheap.1, parallelism: cheap.2)), "\(cheap)")
        }
        for fair in [(64, 8, 2), (128, 8, 2), (64, 8, 3), (32, 16, 2), (128, 8, 1)] {
            #expect(!rule.outgrows(try ScryptCost(rounds: fair.0, blockSize: fair.1, parallelism: fair.2)), "\(fair)")
        }
    }

    @Test("The right PIN moves a record to a higher cost; a wrong one does not")
    func upgrade() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let dearer = AuthenticatorPorts(
            store: device.store, vault: device.vault, clock: device.clock, secretProtection: try .cheap(rounds: 32))
        let command = SecretReplacement(dearer)
        let right = try UserSecret.pin("482913")
        let wrong = try UserSecret.pin("482914")
        _ = try? await command.unlock(credential.id, old: wrong)
        #expect(try await device.store.contents().stored(credential.id)?.record.cost.rounds == 16)
        _ = try await command.unlock(credential.id, old: right)
        #expect(try await device.store.contents().stored(credential.id)?.record.cost.rounds == 32)
        _ = try await device.sign(credential, "482913")
    }
}
