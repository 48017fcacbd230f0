public import HardwareKeys

/// User verification on a Linux machine, by a finger or by the passcode of the user's account.
///
/// `devicePasscode` asks for the passcode; `biometryAny` and `biometryCurrentSet` for a finger; `userPresence` for a
/// finger where one is enrolled, and for the passcode where none is, where the user prefers it, or where the sensor
/// does not work. The caller compares whether the enrolled set is still the same, by ``enrollmentDigest()``.
///
/// A passed verification is a statement of this process: no key is in the sensor or in PAM.
///
/// ```swift
/// let presence = LinuxUserPresence(
///     passcodeEntry: PasscodeWindow(window: window), dialog: FingerWindow(window: window))
/// let proof = try await presence.confirm(.devicePasscode, prompt: PresencePrompt(reason: "Sign in to the bank"))
/// ```
public struct LinuxUserPresence: UserPresence {
    private static let standardPrompt = PresencePrompt(reason: "Show that it is you.")

    let sensor: any BiometricSensor
    private let dialog: any FingerDialog
    let passcode: PAMPasscode

    /// Takes the sensor, what is shown while it waits, and who verifies passcodes.
    public init(
        sensor: any BiometricSensor = FprintdSensor(), dialog: any FingerDialog = SilentFingerDialog(),
        passcode: PAMPasscode
    ) {
        self.sensor = sensor
        self.dialog = dialog
        self.passcode = passcode
    }

    /// Takes the sensor and the service file of this machine, and the place where the user types their passcode.
    ///
    /// A client of the SDK needs this line and no other: `.userPresence(LinuxUserPresence(passcodeEntry: entry))`.
    public init(passcodeEntry: any PasscodeEntry, dialog: any FingerDialog = SilentFingerDialog()) {
        self.init(dialog: dialog, passcode: PAMPasscode(entry: passcodeEntry))
    }

    /// Asks the user with the platform's own prompt, in English, and returns the proof.
    ///
    /// Throws `UserPresenceError`.
    public func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        try await confirm(gate, prompt: Self.standardPrompt)
    }

    /// Asks the user with the prompt of the caller and returns the proof.
    ///
    /// Throws `UserPresenceError`; `fallbackChosen` when the user would rather do what the caller has
    /// offered in the prompt.
    public func confirm(
        _ gate: UserGate, prompt: PresencePrompt
    ) async throws(UserPresenceError) -> UserPresenceProof {
        switch gate {
        case .devicePasscode: _ = try await passcode.verify(prompt)
        case .biometryAny, .biometryCurrentSet: try await scan(prompt)
        case .userPresence: try await fingerOrPasscode(prompt)
        }
        return UserPresenceProof(gate: gate)
    }

    /// SHA-256 over the names of the enrolled fingers.
    ///
    /// Throws `UserPresenceError.unavailable` when there is no sensor or none is enrolled, and
    /// `UserPresenceError.notResponding` when the fingerprint service does not answer.
    public func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] {
        guard case .enrolled(let fingers) = try await sensor.status() else { throw .unavailable }
        return fingers.digest
    }

    // MARK: - Methods

    private func fingerOrPasscode(_ prompt: PresencePrompt) async throws(UserPresenceError) {
        do throws(UserPresenceError) {
            try await scan(prompt)
        } catch {
            switch error {
            case .fallbackChosen, .unavailable, .notResponding, .lockedOut: _ = try await passcode.verify(prompt)
            case .cancelled, .mismatch, .enrollmentChanged, .expired: throw error
            }
        }
    }

    /// Waits for the sensor or for the user's other decision, whichever comes first.
    private func scan(_ prompt: PresencePrompt) async throws(UserPresenceError) {
        let (sensor, dialog) = (sensor, dialog)
        let (progress, teller) = AsyncStream<ScanProgress>.makeStream()
        let outcome = await withTaskGroup { group -> Result<Void, UserPresenceError> in
            group.addTask {
                await Self.result { () throws(UserPresenceError) in try await sensor.scan { teller.yield($0) } }
            }
            group.addTask {
                let answer = await dialog.show(prompt, progress)
                return .failure(answer == .fallback ? .fallbackChosen : .cancelled)
            }
            let first = await group.next()
            group.cancelAll()
            // The sensor is free only when its scan has ended.
            await group.waitForAll()
            return first ?? .failure(.cancelled)
        }
        teller.finish()
        try outcome.get()
    }

    private static func result(
        _ body: () async throws(UserPresenceError) -> Void
    ) async -> Result<Void, UserPresenceError> {
        do throws(UserPresenceError) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}

extension LinuxUserPresence: PlatformPresence {
    /// The sensor and the service that verify the user as well.
    public var platform: any AuthenticatorPlatform {
        LinuxAuthenticatorPlatform(sensor: sensor, service: passcode.service)
    }

    /// The lock of a Linux account, which is not known.
    public var deviceLock: any DeviceLock { LinuxDeviceLock() }
}
