import DemoCommands

await SignetCommand.runProcess()
