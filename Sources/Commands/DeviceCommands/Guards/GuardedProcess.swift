import ArgumentParser
import MobileAuthentication
import TamperGuards

/// Guards of the process of `signet`, which run from its start to its end.
///
/// They have consequences in the sealed programs that `script/release` makes. `signet guards` itself runs without them: it
/// shows what there is to see, also where that would end another command.
package enum GuardedProcess {
    /// Starts the guards, unless the arguments of the process name the command that shows them.
    package static func begin(arguments: [String]) {
        if !showsGuards(arguments) { GuardNetwork.ofProcess.start() }
    }

    /// Asks the guards; it has to come before every use of a key.
    static func requireUntouched() throws(InitializationError) {
        do throws(TamperingError) {
            try GuardNetwork.ofProcess.check()
        } catch {
            throw .DeviceProtectionError(cause: error)
        }
    }

    static func showsGuards(_ arguments: [String]) -> Bool {
        arguments.dropFirst().first == GuardsCommand.configuration.commandName
    }
}
