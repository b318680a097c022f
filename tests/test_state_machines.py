"""State machines, versions, aliases, activities and tags through boto3."""
import json

import pytest
from support import refused

PASS = json.dumps({'StartAt': 'A', 'States': {'A': {'Type': 'Pass', 'End': True}}})
OTHER = json.dumps({'StartAt': 'B', 'States': {'B': {'Type': 'Pass', 'End': True}}})
ROLE = 'arn:aws:iam::000000000000:role/any'


@pytest.fixture
def sfn(shared):
    return shared.sfn


def test_a_machine_is_described_as_it_was_made(sfn):
    made = sfn.create_state_machine(name='described', definition=PASS, roleArn=ROLE, tags=[{'key': 'team', 'value': 'ml'}])
    seen = sfn.describe_state_machine(stateMachineArn=made['stateMachineArn'])
    assert seen['definition'] == PASS and seen['roleArn'] == ROLE and seen['type'] == 'STANDARD'
    assert seen['status'] == 'ACTIVE' and 'revisionId' not in seen
    assert seen['loggingConfiguration'] == {'level': 'OFF', 'includeExecutionData': False}
    assert sfn.list_tags_for_resource(resourceArn=made['stateMachineArn'])['tags'] == [{'key': 'team', 'value': 'ml'}]
    assert made['stateMachineArn'] in [one['stateMachineArn'] for one in sfn.list_state_machines(maxResults=1000)['stateMachines']]
    sfn.delete_state_machine(stateMachineArn=made['stateMachineArn'])
    refused(sfn.describe_state_machine, 'State Machine Does Not Exist', code='StateMachineDoesNotExist',
            stateMachineArn=made['stateMachineArn'])


def test_a_faulty_definition_is_refused_with_its_fault(sfn):
    refused(sfn.create_state_machine, 'SCHEMA_VALIDATION_FAILED', code='InvalidDefinition', name='faulty',
            definition='{"StartAt": "A"}', roleArn=ROLE)
    found = sfn.validate_state_machine_definition(definition='{"StartAt": "A"}')
    assert found['result'] == 'FAIL' and found['diagnostics'][0]['code'] == 'SCHEMA_VALIDATION_FAILED'
    assert sfn.validate_state_machine_definition(definition=PASS)['result'] == 'OK'


def test_versions_come_newest_first_and_page_by_page(sfn):
    arn = sfn.create_state_machine(name='versions', definition=PASS, roleArn=ROLE)['stateMachineArn']
    for number in range(5):
        sfn.update_state_machine(stateMachineArn=arn, definition=OTHER if number % 2 else PASS, roleArn=f'{ROLE}{number}', publish=True)
    first = sfn.list_state_machine_versions(stateMachineArn=arn, maxResults=3)
    assert [one['stateMachineVersionArn'][-1] for one in first['stateMachineVersions']] == ['5', '4', '3']
    rest = sfn.list_state_machine_versions(stateMachineArn=arn, maxResults=3, nextToken=first['nextToken'])
    assert [one['stateMachineVersionArn'][-1] for one in rest['stateMachineVersions']] == ['2', '1'] and 'nextToken' not in rest
    refused(sfn.list_state_machine_versions, "Invalid Token: 'Invalid token'", code='InvalidToken', stateMachineArn=arn,
            nextToken='bogus')


def test_an_alias_starts_the_version_that_it_points_to(sfn):
    arn = sfn.create_state_machine(name='aliased', definition=PASS, roleArn=ROLE, publish=True)['stateMachineArn']
    alias = sfn.create_state_machine_alias(
        name='live', routingConfiguration=[{'stateMachineVersionArn': arn + ':1', 'weight': 100}])['stateMachineAliasArn']
    run = sfn.start_execution(stateMachineArn=alias, input='{}')['executionArn']
    seen = sfn.describe_execution(executionArn=run)
    assert seen['stateMachineAliasArn'] == alias and seen['stateMachineVersionArn'] == arn + ':1' and seen['stateMachineArn'] == arn
    assert [one['executionArn'] for one in sfn.list_executions(stateMachineArn=alias)['executions']] == [run]


def test_too_large_pages_are_refused_in_the_words_of_aws(sfn):
    refused(sfn.list_state_machines, 'Member must have value less than or equal to 1000', code='ValidationException',
            maxResults=1001)
