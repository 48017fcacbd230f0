import HardwareKeys
import LocalAuthentication
import Security
import Testing

@testable import HardwareKeysApple

@Suite("Keys behind a gate")
struct GateTests {
    private let message = Array("a transaction".utf8)

    @Test("A user who passes is asked once for all uses of the proof", arguments: UserGate.all)
    func accepted(gate: UserGate) async throws {
        try await onDevice { device, vault in
            let (key, proof) = try await vault.keyBehind(gate)
            for _ in 1...3 {
                #expect(try await vault.sign(message, with: key, authorizedBy: proof).count == 64)
            }
            let flags: SecAccessControlCreateFlags =
                switch gate {
                case .devicePasscode: .devicePasscode
                case .biometryAny: .biometryAny
                case .biometryCurrentSet: .biometryCurrentSet
                case .userPresence: .userPresence
                @unknown default: []
                }
            #expect(device.with { $0.questions } == [flags.union(.privateKeyUsage).rawValue])
        }
    }

    @Test("Without a proof, or with one that this device did not give, the key is refused", arguments: UserGate.all)
    func refused(gate: UserGate) async throws {
        try await onDevice { device, vault in
            let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(gate)))
            let forged = KeyAuthorization.userPresence(UserPresenceProof(gate: gate))
            for shown in [.none, .secret(.random()), forged] {
                await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                    try await vault.sign(message, with: key, authorizedBy: shown)
                }
            }
            #expect(device.with { $0.questions.isEmpty })
        }
    }

    @Test("The proof of another gate is refused", arguments: UserGate.all)
    func otherGate(gate: UserGate) async throws {
        try await onDevice { _, vault in
            let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(gate)))
            for other in UserGate.all where other != gate {
                let proof = KeyAuthorization.userPresence(try await present().confirm(other))
                await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                    try await vault.sign(message, with: key, authorizedBy: proof)
                }
            }
        }
    }

    @Test("A proof that names one gate and carries the context of another is refused by the Enclave")
    func exchangedContext() async throws {
        try await onDevice { device, vault in
            let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(.biometryAny)))
            let passcode = try await present().confirm(.devicePasscode)
            let forged = UserPresenceProof(gate: .biometryAny, context: passcode.context)
            await #expect(throws: KeyVaultError.userPresence(.expired)) {
                try await vault.sign(message, with: key, authorizedBy: .userPresence(forged))
            }
            #expect(device.with { $0.questions.count } == 1)
        }
    }

    @Test("A context that was ended gives no right any more")
    func endedContext() async throws {
        try await onDevice { _, vault in
            let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(.userPresence)))
            let proof = try await present().confirm(.userPresence)
            try #require(proof.context as? AuthenticatedContext).invalidate()
            await #expect(throws: KeyVaultError.userPresence(.expired)) {
                try await vault.sign(message, with: key, authorizedBy: .userPresence(proof))
            }
        }
    }

    @Test("The user is asked in the words of the caller, or in the platform's own")
    func words() async throws {
        try await onDevice { device, _ in
            _ = try await present().confirm(.userPresence)
            #expect(device.with { $0.words } == ["Sign in", nil, nil])
            let prompt = PresencePrompt(reason: "Pay 10 CHF", fallbackTitle: "", cancelTitle: "Not now")
            let proof = try await present().confirm(.biometryAny, prompt: prompt)
            #expect(device.with { $0.words } == ["Pay 10 CHF", "", "Not now"])
            #expect(proof.gate == .biometryAny)
            // The framework raises an exception for a question without a reason.
            _ = try await present().confirm(.biometryAny, prompt: PresencePrompt(reason: ""))
            #expect(device.with { $0.words } == ["Sign in", nil, nil])
        }
    }

    @Test("A user who does not pass gives no proof, and the reason is told", arguments: UserGate.all)
    func notPassed(gate: UserGate) async throws {
        let reasons: [(LAError.Code, UserPresenceError)] = [
            (.userCancel, .cancelled), (.userFallback, .fallbackChosen), (.appCancel, .cancelled),
            (.authenticationFailed, .mismatch), (.systemCancel, .notResponding), (.biometryNotAvailable, .unavailable),
        ]
        try await onDevice { device, _ in
            for (code, reason) in reasons {
                device.answer(with: code)
                await #expect(throws: reason) { try await present().confirm(gate) }
            }
            device.answer(with: nil)
            let proof = try await present().confirm(gate)
            #expect(proof.gate == gate)
        }
    }

    @Test("When the device is locked out of biometrics, the passcode still opens what is behind it")
    func biometryLockOut() async throws {
        try await onDevice { device, vault in
            let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(.devicePasscode)))
            device.with { $0.isBiometryLockedOut = true }
            for gate in UserGate.biometric {
                await #expect(throws: UserPresenceError.lockedOut) { try await present().confirm(gate) }
                await #expect(throws: KeyVaultError.userPresence(.lockedOut)) {
                    try await vault.createKey(KeyRequirements(authorization: .userPresence(gate)))
                }
            }
            let proof = KeyAuthorization.userPresence(try await present().confirm(.devicePasscode))
            #expect(try await vault.sign(message, with: key, authorizedBy: proof).count == 64)
        }
    }

    @Test("No key is made behind a gate that cannot be passed")
    func impossibleGates() async throws {
        try await onDevice { device, vault in
            device.with { $0.fingers = [] }
            for gate in UserGate.biometric {
                await #expect(throws: KeyVaultError.userPresence(.unavailable)) {
                    try await vault.createKey(KeyRequirements(authorization: .userPresence(gate)))
                }
            }
            _ = try await vault.keyBehind(.devicePasscode)
            device.with { $0.hasPasscode = false }
            for gate in UserGate.all {
                await #expect(throws: KeyVaultError.userPresence(.unavailable)) {
                    try await vault.createKey(KeyRequirements(authorization: .userPresence(gate)))
                }
                await #expect(throws: UserPresenceError.unavailable) { try await present().confirm(gate) }
            }
        }
    }

    @Test("With the passcode of the device, every key behind a gate is gone for good", arguments: UserGate.all)
    func passcodeRemoved(gate: UserGate) async throws {
        try await onDevice { device, vault in
            let (key, proof) = try await vault.keyBehind(gate)
            device.with { $0.hasPasscode = false }
            await #expect(throws: KeyVaultError.unrecoverable) {
                try await vault.sign(message, with: key, authorizedBy: proof)
            }
        }
    }

    @Test(
        "A change of the enrolled fingers ends a key of the current set, whatever the Enclave calls it",
        arguments: [-3, -5])
    func enrollmentChanged(code: Int) async throws {
        for fingers in [["right thumb", "left thumb"], ["left thumb"]] as [Set<String>] {
            try await onDevice { device, vault in
                device.with { $0.changedSetCode = code }
                let (bound, early) = try await vault.keyBehind(.biometryCurrentSet)
                let (any, _) = try await vault.keyBehind(.biometryAny)
                device.with { $0.fingers = fingers }
                let late = KeyAuthorization.userPresence(try await present().confirm(.biometryCurrentSet))
                for proof in [early, late] {
                    await #expect(throws: KeyVaultError.userPresence(.enrollmentChanged)) {
                        try await vault.sign(message, with: bound, authorizedBy: proof)
                    }
                }
                let proof = KeyAuthorization.userPresence(try await present().confirm(.biometryAny))
                #expect(try await vault.sign(message, with: any, authorizedBy: proof).count == 64)
            }
        }
    }

    @Test("A refusal without a change of the enrolled fingers is not called one")
    func otherRefusal() async throws {
        try await onDevice { device, vault in
            let (key, proof) = try await vault.keyBehind(.biometryCurrentSet)
            device.with { $0.isLocked = true }
            await #expect(throws: KeyVaultError.deviceLocked) {
                try await vault.sign(message, with: key, authorizedBy: proof)
            }
            device.with { $0.isLocked = false }
            device.with { $0.hasPasscode = false }
            await #expect(throws: KeyVaultError.unrecoverable) {
                try await vault.sign(message, with: key, authorizedBy: proof)
            }
        }
    }

    @Test("A locked screen closes what is behind a gate and nothing else", arguments: UserGate.all)
    func lockedScreen(gate: UserGate) async throws {
        try await onDevice { device, vault in
            let open = try await vault.createKey(KeyRequirements())
            let (key, proof) = try await vault.keyBehind(gate)
            device.with { $0.isLocked = true }
            await #expect(throws: KeyVaultError.deviceLocked) {
                try await vault.sign(message, with: key, authorizedBy: proof)
            }
            #expect(try await vault.sign(message, with: open).count == 64)
            device.with { $0.isLocked = false }
            #expect(try await vault.sign(message, with: key, authorizedBy: proof).count == 64)
        }
    }

    @Test("A cancelled task ends the question")
    func cancelledTask() async throws {
        try await onDevice { device, _ in
            device.with { $0.leavesQuestionsOpen = true }
            let presence = try present()
            let question = Task { try await presence.confirm(.biometryAny) }
            question.cancel()
            await #expect(throws: UserPresenceError.cancelled) { try await question.value }
        }
    }

    @Test("The enrolment digest changes with every finger and is not there without one")
    func enrollmentDigest() async throws {
        try await onDevice { device, _ in
            let presence = try present()
            let first = try await presence.enrollmentDigest()
            #expect(first.count == 32)
            #expect(try await presence.enrollmentDigest() == first)
            device.with { _ = $0.fingers.insert("left thumb") }
            #expect(try await presence.enrollmentDigest() != first)
            device.with { $0.fingers = [] }
            await #expect(throws: UserPresenceError.unavailable) { try await presence.enrollmentDigest() }
        }
    }

    @Test("While the sensor is locked it is unknown what is enrolled, and no key is taken for lost")
    func lockedEnrollment() async throws {
        try await onDevice { device, vault in
            let (key, proof) = try await vault.keyBehind(.biometryCurrentSet)
            device.with { device in
                device.isBiometryLockedOut = true
                device.hasPasscode = false
                device.hasPasscode = true
            }
            await #expect(throws: UserPresenceError.lockedOut) { try await present().enrollmentDigest() }
            await #expect(throws: KeyVaultError.unrecoverable) {
                try await vault.sign(message, with: key, authorizedBy: proof)
            }
        }
    }

    @Test("A question without a reason is not asked")
    func emptyReason() {
        #expect(AppleUserPresence(reason: "") == nil)
    }
}
