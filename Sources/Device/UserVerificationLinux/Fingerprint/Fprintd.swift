import HardwareKeys

/// Sensor of fprintd, reached over one connection.
///
/// Calls go to the process that answered first, not to a later owner of the name of the service, and only that process
/// is believed.
struct FprintdDevice {
    private let connection: BusConnection
    private let owner: String
    private let path: String

    /// The sensor that fprintd offers first; starts the service if the machine is set up so.
    ///
    /// Its process has to belong to one of some accounts; nothing that it says counts before the bus has told so.
    static func preferred(
        on connection: BusConnection, of owners: ServiceOwners
    ) throws(BusFailure) -> FprintdDevice {
        let answer = try connection.call(
            BusCall(
                destination: FprintdName.service, path: FprintdName.managerPath, interface: FprintdName.manager,
                member: "GetDefaultDevice"))
        try owners.require(answer.sender, on: connection)
        return FprintdDevice(connection: connection, owner: answer.sender, path: try answer.readPath())
    }

    /// The fingers of the account of this process.
    func enrolledFingers() throws(SensorFailure) -> EnrolledFingers {
        do throws(BusFailure) {
            // No name stands for the account of the caller, which needs no further permission.
            return EnrolledFingers(names: try call("ListEnrolledFingers", "").readTexts())
        } catch {
            throw SensorFailure(error)
        }
    }

    // MARK: - Verification

    /// Asks to hear of results, and of the end of the service.
    func subscribe() throws(SensorFailure) {
        do throws(BusFailure) {
            try connection.subscribe(
                "type='signal',sender='\(owner)',path='\(path)',interface='\(FprintdName.device)',"
                    + "member='VerifyStatus'")
            try connection.subscribe(
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(owner)'")
        } catch {
            throw SensorFailure(error)
        }
    }

    func claimed(_ body: () throws(SensorFailure) -> Void) throws(SensorFailure) {
        try require("Claim", "")
        do throws(SensorFailure) {
            try body()
        } catch {
            let isReleased = release()
            // fprintd calls it a failure of the driver when a sensor is pulled out, and then cannot release it.
            throw error == .driver && !isReleased ? .impossible(.sensorDisconnected) : error
        }
        _ = release()
    }

    /// Gives the sensor back; what fails here is made good by the end of the connection.
    private func release() -> Bool { (try? call("Release")) != nil }

    func verifying(_ body: () throws(SensorFailure) -> Void) throws(SensorFailure) {
        try require("VerifyStart", "any")
        defer { _ = try? call("VerifyStop") }
        try body()
    }

    func awaitMatch(
        until deadline: ContinuousClock.Instant, unless interruption: Interruption,
        _ progress: (ScanProgress) -> Void
    ) throws(SensorFailure) {
        while let (result, isDone) = try nextResult(until: deadline, unless: interruption) {
            switch result {
            case .match: return
            case .noMatch: throw .refused(.mismatch)
            case .disconnected: throw .impossible(.sensorDisconnected)
            case .failed(let name): throw .impossible(.fingerprintServiceFailed(name: name))
            case .retry(let reason):
                progress(.retry(reason))
                guard isDone else { continue }
                try require("VerifyStop")
                try require("VerifyStart", "any")
            }
        }
        throw .impossible(.fingerprintServiceFailed(name: "gone"))
    }

    /// The next thing that the sensor says; nil when its service has gone.
    private func nextResult(
        until deadline: ContinuousClock.Instant, unless interruption: Interruption
    ) throws(SensorFailure) -> (ScanResult, isDone: Bool)? {
        do throws(BusFailure) {
            while true {
                let message = try connection.nextMessage(until: deadline, unless: interruption)
                if isEndOfService(message) { return nil }
                guard message.sender == owner, message.isAbout(path),
                    message.isSignal("VerifyStatus", of: FprintdName.device)
                else { continue }
                let result = ScanResult(try message.readText())
                return (result, try message.readFlag())
            }
        } catch {
            throw SensorFailure(error)
        }
    }

    private func isEndOfService(_ message: BusMessage) -> Bool {
        guard message.sender == "org.freedesktop.DBus",
            message.isSignal("NameOwnerChanged", of: "org.freedesktop.DBus"),
            let name = try? message.readText(), (try? message.readText()) != nil, let heir = try? message.readText()
        else { return false }
        return name == owner && heir.isEmpty
    }

    // MARK: - Calls

    private func require(_ member: String, _ arguments: String...) throws(SensorFailure) {
        do throws(BusFailure) {
            _ = try call(member, arguments)
        } catch {
            throw SensorFailure(error)
        }
    }

    private func call(_ member: String, _ arguments: String...) throws(BusFailure) -> BusMessage {
        try call(member, arguments)
    }

    private func call(_ member: String, _ arguments: [String]) throws(BusFailure) -> BusMessage {
        do throws(BusFailure) {
            return try connection.call(
                BusCall(
                    destination: owner, path: path, interface: FprintdName.device, member: member,
                    arguments: arguments))
        } catch {
            // The object of a sensor that was pulled out a moment ago is gone.
            throw FprintdName.goneObject.contains(error) ? .refused(name: FprintdName.noSuchDevice) : error
        }
    }
}

/// The names of fprintd's interface, and what its errors mean.
enum FprintdName {
    static let service = "net.reactivated.Fprint"
    static let managerPath = "/net/reactivated/Fprint/Manager"
    static let manager = "net.reactivated.Fprint.Manager"
    static let device = "net.reactivated.Fprint.Device"
    static let error = "net.reactivated.Fprint.Error."
    static let busError = "org.freedesktop.DBus.Error."
    static let noSuchDevice = error + "NoSuchDevice"
    /// Errors that the bus library of a service answers with for an object that is not there.
    static let goneObject: [BusFailure] = ["UnknownMethod", "UnknownObject"].map { .refused(name: busError + $0) }

    static func problem(_ name: String) -> VerificationProblem {
        switch name {
        case noSuchDevice: .sensorAbsent
        case error + "AlreadyInUse": .sensorInUse
        case error + "NoEnrolledPrints": .nothingEnrolled
        case error + "PermissionDenied", busError + "AccessDenied": .permissionDenied
        case busError + "ServiceUnknown": .fingerprintServiceAbsent
        default: .fingerprintServiceFailed(name: name)
        }
    }
}
