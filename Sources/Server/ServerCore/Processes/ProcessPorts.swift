/// Ports to the other server processes on the database.
package struct ProcessPorts: Sendable {
    /// Presence of a process among the processes on the database.
    package enum Presence: Sendable, Hashable {
        /// The only server of its instance: the others know it by the name of that.
        case instance
        /// One of several servers of an instance, with its name.
        case named(String)
        /// A command, of which the others know nothing.
        case hidden
    }

    package let presence: Presence
    package let channel: any ProcessChannel
    package let leadership: any Leadership

    package init(
        presence: Presence = .instance, channel: any ProcessChannel = Alone(), leadership: any Leadership = Alone()
    ) {
        self.presence = presence
        self.channel = channel
        self.leadership = leadership
    }

    /// Name of this process among the processes on the database; nil when they know nothing of it.
    package func name(ofInstance instance: String) -> String? {
        switch presence {
        case .instance: instance
        case .named(let name): name
        case .hidden: nil
        }
    }
}

extension ProcessPorts {
    /// Ports of a process that shares its database with no other: it says nothing, hears nothing and always leads.
    package struct Alone: ProcessChannel, Leadership {
        package init() {}

        package func send(_ message: ProcessMessage) {}
        package func receive(_ handler: @escaping @Sendable (ProcessMessage) -> Void) {}
        package func leads(_ duty: LeadershipDuty) async -> Bool { true }
    }
}
