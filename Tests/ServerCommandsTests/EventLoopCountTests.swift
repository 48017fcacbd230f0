import Foundation
import Testing

@testable import ServerCommands

@Suite("The number of event loops of a server")
struct EventLoopCountTests {
    @Test("There is one for each processor that the process may use, never more than the control group allows")
    func processors() {
        #expect(EventLoopCount.chosen(environment: [:], processors: 1, limit: 8) == 1)
        #expect(EventLoopCount.chosen(environment: [:], processors: 8, limit: 8) == 8)
        #expect(EventLoopCount.chosen(environment: [:], processors: 8, limit: 2) == 2)
        #expect(EventLoopCount.chosen(environment: [:], processors: nil, limit: 4) == 4)
        #expect(EventLoopCount.chosen(environment: [:], processors: 0, limit: 0) == 1)
    }

    @Test("A number in the environment is left to swift-nio")
    func environment() {
        let environment = ["NIO_SINGLETON_GROUP_LOOP_COUNT": "3"]
        #expect(EventLoopCount.chosen(environment: environment, processors: 1, limit: 8) == nil)
    }

    @Test(
        "The processors are counted in the mask that the kernel shows",
        arguments: [("1", 1), ("3", 2), ("ffffffff,00000003", 34), ("0", nil), ("", nil), ("zz", nil)]
            as [(String, Int?)])
    func mask(text: String, count: Int?) {
        let status = "Name:\tsignet-server\nCpus_allowed:\t\(text)\nCpus_allowed_list:\t0-1\n"
        #expect(EventLoopCount.processors(inStatus: Data(status.utf8)) == count)
        #expect(EventLoopCount.processors(inStatus: Data("Name:\tsignet-server\n".utf8)) == nil)
    }
}
