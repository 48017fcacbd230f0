import ArgumentParser
import TamperGuards

/// Guards of the process of `signet`, which run from its start to its end.
///
/// They have consequences in the sealed programs that `script/release` makes. `signet guards` itself runs without them: it
/// shows what there is to see, also where that would end another command.
package struct GuardedProcess {
    private let guards: GuardNetwork?

    /// Starts the guards, unless the arguments of the process name the command that shows them.
    package init(arguments: [String]) {
        guard !Self.showsGuards(arguments) else {
            guards = nil
            return
        }
        let guards = GuardNetwork()
        guards.start()
        self.guards = guards
    }

    /// Ends the looking in the background.
    package func end() {
        guards?.stop()
    }

    static func showsGuards(_ arguments: [String]) -> Bool {
        arguments.dropFirst().first == GuardsCommand.configuration.commandName
    }
}
