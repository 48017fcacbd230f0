public import HardwareKeys

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Verifies the passcode of the device: on Linux the password of the account that runs this process, through PAM.
///
/// PAM is asked only when the user has typed something: it does not say without a try whether a passcode is set, and
/// silent tries would be counted. The answer is a message of software: an administrator can forge it.
///
/// PAM blocks and cannot be interrupted, so it runs on a separate thread, one try after the other. When the task is
/// cancelled or the time is over, the caller gets an error at once; the try that PAM is in goes on unobserved and still
/// counts for it, and the next one waits until it is over.
public struct PAMPasscode: Sendable {
    let service: PAMService
    private let entry: any PasscodeEntry
    private let timeLimit: Duration
    private let report: @Sendable (VerificationProblem) -> Void
    private let executor = PAMExecutor()

    /// Takes the service that checks passcodes, where the user types theirs, and how long PAM may take.
    ///
    /// `report` hears what is wrong with the set-up of the machine, on any thread.
    public init(
        service: PAMService = .signet, entry: any PasscodeEntry, timeLimit: Duration = .seconds(30),
        report: @escaping @Sendable (VerificationProblem) -> Void = { _ in }
    ) {
        self.service = service
        self.entry = entry
        self.timeLimit = timeLimit
        self.report = report
    }

    /// Whether the service file is there; it says nothing about whether a passcode is set.
    public var isInstalled: Bool { service.isInstalled }

    /// Asks the user for their passcode, has it checked, and returns the proof.
    ///
    /// Throws `UserPresenceError`: `mismatch` for a wrong passcode, `lockedOut` when PAM takes no more
    /// tries, `unavailable` when there is no service, no account, no passcode or an expired one, `notResponding` when
    /// PAM does not answer in time, `cancelled` for a cancelled task, and what the entry throws.
    public func verify(_ prompt: PresencePrompt) async throws(UserPresenceError) -> UserPresenceProof {
        let account = try requiredAccount()
        return try await verify(try await entry.passcode(prompt), of: account)
    }

    private func requiredAccount() throws(UserPresenceError) -> String {
        guard service.isInstalled else { throw unavailable(.serviceFileMissing(name: service.name)) }
        guard let account = DeviceAccount.name() else { throw unavailable(.accountUnknown) }
        return account
    }

    private func verify(
        _ passcode: Passcode, of account: String
    ) async throws(UserPresenceError) -> UserPresenceProof {
        let executor = executor
        let transaction = PAMTransaction(service: service, account: account)
        let answer = try await OneShot<Result<PAMAnswer, UserPresenceError>>.wait(atMost: timeLimit) { caller in
            let answer = await executor.verify(passcode, with: transaction) { caller.isFilled }
            return answer.map { .success($0) } ?? .failure(.cancelled)
        }
        switch answer {
        case .verified: return UserPresenceProof(gate: .devicePasscode)
        case .refused(let error): throw error
        case .impossible(let problem): throw unavailable(problem)
        }
    }

    private func unavailable(_ problem: VerificationProblem) -> UserPresenceError {
        report(problem)
        return .unavailable
    }
}

/// Serial executor of PAM transactions, on a separate thread.
///
/// PAM blocks (its modules read files, ask servers, and wait some seconds after a wrong passcode), and must not do so
/// on the threads that all tasks share.
actor PAMExecutor {
    private nonisolated let thread = BlockingThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Runs a transaction; nil when it is no longer wanted by the time it could start.
    func verify(
        _ passcode: Passcode, with transaction: PAMTransaction, unless isUnwanted: @Sendable () -> Bool
    ) -> PAMAnswer? {
        isUnwanted() ? nil : transaction.verify(passcode)
    }
}

/// The account that runs this process: no other is verified.
enum DeviceAccount {
    /// Its name; nil when the system knows none for the number.
    static func name() -> String? {
        var size = max(sysconf(Int32(_SC_GETPW_R_SIZE_MAX)), 1_024)
        while size <= 1 << 20 {
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let name: String? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                guard let start = buffer.baseAddress,
                    getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0
                else { return nil }
                return found.map { String(cString: $0.pointee.pw_name) } ?? ""
            }
            if let name { return name.isEmpty ? nil : name }
            size *= 4
        }
        return nil
    }
}
