import { runService } from '@sevenfold/chassis/run-service';
import { variables } from './config';
import { formsService } from './service';

void runService(formsService, variables, process.env);
